import { fold } from '#web/lib/fold.ts'
import { findWord, matchesIn, type TextRange } from './match.ts'

/** A text of a prayer, besides its name. */
export interface PrayerText {
  /** What the text is, as it is shown above it; null for the note. */
  label: string | null
  text: string
  /** The entry of the timeline that has it; null if it is not in the timeline. */
  entry: string | null
}

/** A part of a line: a match, or the text before, between or after matches. */
export interface Part {
  /** Its offset in the line; -1 for an ellipsis at the beginning. */
  start: number
  text: string
  isMatch: boolean
}

/** A line that is shown with a result. */
export interface Excerpt {
  /** Its number among all lines of the prayer. */
  line: number
  label: string | null
  entry: string | null
  parts: readonly Part[]
}

const MAX_LINES = 3
/** In characters: longer lines are shortened to what surrounds the first match. */
const MAX_LINE_LENGTH = 160
const BEFORE_MATCH = 40
/** Leaving out less than this at the beginning of a line gains nothing. */
const MIN_LEFT_OUT = 12

/** A text as parts that match any of the words and parts that do not. */
export function partsOf(text: string, words: readonly string[]): readonly Part[] {
  return splitAt(text, matchesIn(text, words))
}

/**
 * The lines that show why a prayer was found: first those with a word that is not in the name or in an earlier line, then
 * others with a match, up to three, in their order. If there are none, the beginning of the first text.
 *
 * @param words see `wordsOf`
 */
export function excerptsOf(
  name: string,
  texts: readonly PrayerText[],
  words: readonly string[],
): readonly Excerpt[] {
  const lines = texts
    .flatMap(({ label, entry, text }) =>
      text.split('\n').map((line) => ({ label, entry, text: line.trim() })),
    )
    .filter(({ text }) => text !== '')
  const shownWords = new Set(wordsIn(name, words))
  const necessary: number[] = []
  const others: number[] = []
  for (const [index, { text }] of lines.entries()) {
    const found = wordsIn(text, words)
    if (found.some((word) => !shownWords.has(word))) necessary.push(index)
    else if (found.length > 0) others.push(index)
    for (const word of found) shownWords.add(word)
  }
  const matching = new Set([...necessary, ...others].slice(0, MAX_LINES))
  return lines.flatMap(({ label, entry, text }, line) =>
    matching.has(line) || (matching.size === 0 && line === 0)
      ? { line, label, entry, parts: shortened(text, matchesIn(text, words)) }
      : [],
  )
}

function wordsIn(text: string, words: readonly string[]): readonly string[] {
  const folded = fold(text)
  return words.filter((word) => findWord(folded, word) >= 0)
}

/** The parts of a line; of a long one, only those around its first match. */
function shortened(line: string, matches: readonly TextRange[]): readonly Part[] {
  if (line.length <= MAX_LINE_LENGTH) return splitAt(line, matches)
  const match = matches[0] ?? { start: 0, end: 0 }
  const earliest = Math.max(0, match.start - BEFORE_MATCH)
  const firstSpace = line.indexOf(' ', earliest)
  const isSpaceBefore = earliest > 0 && firstSpace >= 0 && firstSpace < match.start
  const possibleStart = boundary(line, isSpaceBefore ? firstSpace + 1 : earliest)
  const start = possibleStart < MIN_LEFT_OUT ? 0 : possibleStart
  const latest = Math.min(line.length, start + MAX_LINE_LENGTH)
  const lastSpace = line.lastIndexOf(' ', latest)
  const end = boundary(line, latest < line.length && lastSpace > match.end ? lastSpace : latest)
  return [
    ...(start > 0 ? [{ start: -1, text: '… ', isMatch: false }] : []),
    ...splitAt(line, matches, start, end),
    ...(end < line.length ? [{ start: end, text: ' …', isMatch: false }] : []),
  ]
}

/** An offset that does not divide a character: some, such as emoji, take two code units. */
function boundary(text: string, offset: number): number {
  return /^[\uDC00-\uDFFF]/.test(text.slice(offset, offset + 1)) ? offset - 1 : offset
}

/** The parts of a text between two offsets. */
function splitAt(text: string, matches: readonly TextRange[], from = 0, to = text.length): readonly Part[] {
  const parts: Part[] = []
  let offset = from
  const add = (end: number, isMatch: boolean) => {
    if (end > offset) parts.push({ start: offset, text: text.slice(offset, end), isMatch })
    offset = Math.max(offset, end)
  }
  for (const match of matches) {
    add(Math.min(match.start, to), false)
    add(Math.min(match.end, to), true)
  }
  add(to, false)
  return parts
}
