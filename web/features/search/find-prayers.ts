import type { Prayer } from '#web/data/prayers.ts'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import { timeout } from '#web/lib/timeout.ts'
import { fold } from '#web/lib/fold.ts'
import { findWord } from './match.ts'

export interface FoundPrayer {
  prayer: Prayer
  /** Its updates, newest first. */
  updates: readonly PrayerUpdate[]
}

export interface SearchResults {
  open: readonly FoundPrayer[]
  answered: readonly FoundPrayer[]
}

/** Folding takes longer than searching. Rows that change are new objects. */
const foldedTexts = new WeakMap<Prayer | PrayerUpdate, string>()

/** How long the folding of many texts may keep the page from responding, in milliseconds. */
const SLICE_MS = 10

/**
 * Finds the prayers in which every word matches, in the name, the note, the answer or an update. Those with all words in
 * their name come first; otherwise they keep their order.
 *
 * @param words see `wordsOf`; without any, nothing is found
 */
export function findPrayers(
  prayers: readonly Prayer[],
  updatesOf: ReadonlyMap<string, readonly PrayerUpdate[]>,
  words: readonly string[],
): SearchResults {
  const byName: FoundPrayer[] = []
  const byText: FoundPrayer[] = []
  for (const prayer of words.length > 0 ? prayers : []) {
    const updates = updatesOf.get(prayer.id) ?? []
    const text = foldedText(prayer)
    const isFound = words.every(
      (word) => hasWord(text, word) || updates.some((update) => hasWord(foldedText(update), word)),
    )
    if (!isFound) continue
    const name = text.slice(0, text.indexOf('\n'))
    const isByName = words.every((word) => hasWord(name, word))
    ;(isByName ? byName : byText).push({ prayer, updates })
  }
  const found = [...byName, ...byText]
  return {
    open: found.filter(({ prayer }) => !prayer.resolved),
    answered: found.filter(({ prayer }) => prayer.resolved),
  }
}

/**
 * Folds rows that have not been folded yet, in slices between which the page can respond.
 *
 * @param pause resolves when the page may have responded
 * @returns whether all are folded; otherwise `signal` was aborted
 */
export async function foldInSlices(
  rows: readonly (Prayer | PrayerUpdate)[],
  signal: AbortSignal,
  pause: () => Promise<void> = () => timeout(0),
  clock: Pick<Performance, 'now'> = performance,
): Promise<boolean> {
  let sliceEnd = clock.now() + SLICE_MS
  for (const row of rows) {
    foldedText(row)
    if (clock.now() < sliceEnd) continue
    await pause()
    if (signal.aborted) return false
    sliceEnd = clock.now() + SLICE_MS
  }
  return true
}

/** Whether rows have been folded, so that searching them is fast. */
export function areFolded(rows: readonly (Prayer | PrayerUpdate)[]): boolean {
  return rows.every((row) => foldedTexts.has(row))
}

function hasWord(text: string, word: string): boolean {
  return findWord(text, word) >= 0
}

/** The texts of a row in lines; the first line of a prayer is its name. */
function foldedText(row: Prayer | PrayerUpdate): string {
  const known = foldedTexts.get(row)
  if (known !== undefined) return known
  const texts =
    'body' in row ? [row.body] : [row.person_name.replaceAll('\n', ' '), row.note ?? '', row.answer ?? '']
  const folded = fold(texts.join('\n'))
  foldedTexts.set(row, folded)
  return folded
}
