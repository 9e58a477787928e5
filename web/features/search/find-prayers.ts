import { UNREADABLE } from '#web/data/encryption-status.ts'
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

type UpdatesOf = ReadonlyMap<string, readonly PrayerUpdate[]>

export interface SearchResults {
  open: readonly FoundPrayer[]
  answered: readonly FoundPrayer[]
}

/** How long the folding of many texts may keep the page from responding, in milliseconds. */
const SLICE_MS = 10

/** A prayer with its folded texts, in lines. The first line is its name. */
interface SearchablePrayer extends FoundPrayer {
  text: string
}

const NO_UPDATES: readonly PrayerUpdate[] = []

/** Folding takes longer than searching. Rows that change are new objects. */
const known = new WeakMap<Prayer, SearchablePrayer>()

/** Prepares prayers for `findPrayers`. The first time, this takes long: call `foldInSlices` before. */
export function searchablePrayers(
  prayers: readonly Prayer[],
  updatesOf: UpdatesOf,
): readonly SearchablePrayer[] {
  return prayers.map((prayer) => searchable(prayer, updatesOf.get(prayer.id) ?? NO_UPDATES))
}

function searchable(prayer: Prayer, updates: readonly PrayerUpdate[]): SearchablePrayer {
  const before = known.get(prayer)
  if (before && isSameList(before.updates, updates)) return before
  const { person_name: name, note, answer } = prayer
  const texts = [name.replaceAll('\n', ' '), note ?? '', answer ?? '', ...updates.map(({ body }) => body)]
  const readable = texts.map((text) => (text === UNREADABLE ? '' : text))
  const folded = { prayer, updates, text: fold(readable.join('\n')) }
  known.set(prayer, folded)
  return folded
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

/**
 * Finds the prayers in which every word matches, in the name, the note, the answer or an update. Those with all words in
 * their name come first, those in hidden categories last; otherwise they keep their order.
 *
 * @param words see `wordsOf`; without any, nothing is found
 * @param hidden ids of the hidden categories
 */
export function findPrayers(
  prayers: readonly SearchablePrayer[],
  words: readonly string[],
  hidden: ReadonlySet<string>,
): SearchResults {
  const byName: FoundPrayer[] = []
  const byText: FoundPrayer[] = []
  const hasWords = (text: string) => words.every((word) => findWord(text, word) >= 0)
  for (const prayer of words.length > 0 ? prayers : []) {
    const { text } = prayer
    if (!hasWords(text)) continue
    const isByName = hasWords(text.slice(0, text.indexOf('\n')))
    ;(isByName ? byName : byText).push(prayer)
  }
  const isHidden = ({ prayer }: FoundPrayer) => Number(hidden.has(prayer.category_id))
  const found = [...byName, ...byText].toSorted((a, b) => isHidden(a) - isHidden(b))
  return {
    open: found.filter(({ prayer }) => !prayer.resolved),
    answered: found.filter(({ prayer }) => prayer.resolved),
  }
}

/**
 * Folds the texts of prayers that have not been folded yet, in slices between which the page can respond.
 *
 * @param pause resolves when the page may have responded
 * @returns whether all are folded; otherwise `signal` was aborted
 */
export async function foldInSlices(
  prayers: readonly Prayer[],
  updatesOf: UpdatesOf,
  signal: AbortSignal,
  pause: () => Promise<void> = () => timeout(0),
  clock: Pick<Performance, 'now'> = performance,
): Promise<boolean> {
  let sliceEnd = clock.now() + SLICE_MS
  for (const prayer of prayers) {
    searchable(prayer, updatesOf.get(prayer.id) ?? NO_UPDATES)
    if (clock.now() < sliceEnd) continue
    await pause()
    if (signal.aborted) return false
    sliceEnd = clock.now() + SLICE_MS
  }
  return true
}

/** Whether the texts of prayers have been folded, so that searching them is fast. */
export function areFolded(prayers: readonly Prayer[]): boolean {
  return prayers.every((prayer) => known.has(prayer))
}
