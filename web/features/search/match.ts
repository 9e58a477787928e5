import { fold } from '#web/lib/fold.ts'

/** A part of a text, from the offset `start` up to `end`. */
export interface TextRange {
  start: number
  end: number
}

/** A cluster is a character with its accents. */
const CLUSTERS = /\P{M}\p{M}*|\p{M}+/gu
/** A letter or digit of a script that separates words. The others are written without spaces: any character may begin a word. */
const IN_WORD =
  '(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}])[\\p{L}\\p{N}\\p{M}]'
const INSIDE_WORD = new RegExp(`(?<=${IN_WORD})${IN_WORD}`, 'uy')

/** The words of a query, folded. They are separated by spaces only: "100%" and "O'Neil" are one word. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(fold(query).split(/\s+/).filter(Boolean))]
}

/**
 * The offset at which a word of a text begins with `word`; -1 if none does. Punctuation and emoji are words of their own.
 *
 * @param text folded
 * @param word folded, not empty
 */
export function findWord(text: string, word: string, from = 0): number {
  let offset = text.indexOf(word, from)
  while (offset > 0 && isInsideWord(text, offset)) offset = text.indexOf(word, offset + 1)
  return offset
}

function isInsideWord(text: string, offset: number): boolean {
  INSIDE_WORD.lastIndex = offset
  return INSIDE_WORD.test(text)
}

/** Where a text matches any of the words (see `wordsOf`), in order and without overlaps. */
export function matchesIn(text: string, words: readonly string[]): readonly TextRange[] {
  const { folded, clusters } = foldClusters(text)
  const matches = words.flatMap((word) => {
    const ranges: TextRange[] = []
    for (let at = findWord(folded, word); at >= 0; at = findWord(folded, word, at + word.length)) {
      const first = clusters[at]
      const last = clusters[at + word.length - 1]
      if (first && last) ranges.push({ start: first.start, end: last.end })
    }
    return ranges
  })
  return merged(matches)
}

/** A folded text, and for each of its characters the cluster of the original text that it comes from. */
function foldClusters(text: string): { folded: string; clusters: TextRange[] } {
  let folded = ''
  const clusters: TextRange[] = []
  for (const { 0: cluster, index } of text.matchAll(CLUSTERS)) {
    const range = { start: index, end: index + cluster.length }
    folded += fold(cluster)
    while (clusters.length < folded.length) clusters.push(range)
  }
  return { folded, clusters }
}

function merged(ranges: readonly TextRange[]): TextRange[] {
  const result: TextRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else result.push({ ...range })
  }
  return result
}
