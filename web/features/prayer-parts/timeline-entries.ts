import type { PrayedMonths } from '#web/data/prayed-counts.ts'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { dateText, monthName, monthText } from '#web/lib/days/day-text.ts'
import { addDays, compareDays, type Day, isDay, localDay } from '#web/lib/days/days.ts'
import { prayedText } from '#web/lib/days/prayed-text.ts'

/** What happened with a prayer: an update, its answer, or a fact in one line. */
export type TimelineEntry =
  | { kind: 'update'; id: string; title: string; update: PrayerUpdate }
  | { kind: 'answer'; id: typeof ANSWER_ENTRY; title: string; text: string | null }
  | { kind: 'fact'; id: string; title: string }

/** The id of the entry of the answer; those of updates have the id of the update. */
export const ANSWER_ENTRY = 'answer'

interface TimelineOptions {
  /** Of the prayer, newest first. */
  updates: readonly PrayerUpdate[]
  /** Null if only the total is known. */
  months: PrayedMonths | null
  today: Day
}

/** An entry, and the day by which it is sorted. */
interface Dated {
  day: Day
  entry: TimelineEntry
}

/** Everything that happened with a prayer, newest first; that it was added comes last. */
export function timelineOf(prayer: Prayer, { updates, months, today }: TimelineOptions): TimelineEntry[] {
  const { answer, created_at } = prayer
  const added = localDay(created_at)
  const dated: Dated[] = [
    ...answerEntry(prayer, today),
    ...(months ? prayedEntries(months, today) : totalEntry(prayer, today)),
    // If the prayer was answered again as before, its former answer is still an update too.
    ...updates.filter(({ body }) => body !== answer).map((update) => datedUpdate(update, today)),
  ]
  return [
    ...dated.toSorted((a, b) => compareDays(b.day, a.day)).map(({ entry }) => entry),
    { kind: 'fact', id: 'added', title: isDay(added) ? `Added ${dateText(added, today)}` : 'Added' },
  ]
}

/** The entry of an update. Former answers say when they were given. */
export function updateEntry(update: PrayerUpdate, today: Day): TimelineEntry {
  const { id, answered_on: answeredOn, created_at } = update
  const title =
    answeredOn === null
      ? dayTitle(localDay(created_at), today)
      : `Answered ${dateText(answeredOn, today)}, reopened`
  return { kind: 'update', id, title, update }
}

function dayTitle(day: Day, today: Day): string {
  if (day === today) return 'Today'
  return day === addDays(today, -1) ? 'Yesterday' : dateText(day, today)
}

function datedUpdate(update: PrayerUpdate, today: Day): Dated {
  return { day: update.answered_on ?? localDay(update.created_at), entry: updateEntry(update, today) }
}

function answerEntry({ resolved, answer, answered_on: answeredOn }: Prayer, today: Day): Dated[] {
  if (!resolved) return []
  const title = answeredOn === null ? 'Answered' : `Answered ${dateText(answeredOn, today)}`
  return [{ day: answeredOn ?? today, entry: { kind: 'answer', id: ANSWER_ENTRY, title, text: answer } }]
}

/** A month comes after what happened in it. */
function prayedEntries(months: PrayedMonths, today: Day): Dated[] {
  return Object.entries(months).map(([month, count]) => {
    const times = count === 1 ? 'once' : `${count} times`
    const first = `${month}-01`
    const name = month.slice(0, 4) === today.slice(0, 4) ? monthName(first) : monthText(first)
    const title = `Prayed ${times} in ${name}`
    return { day: `${month}-00`, entry: { kind: 'fact', id: `prayed-${month}`, title } }
  })
}

/** All that is known of the prayed days without the network. After one was taken back, the last one is unknown. */
function totalEntry({ times_prayed: times, created_at, last_prayed_on: last }: Prayer, today: Day): Dated[] {
  const isKnown = last !== null && isDay(last)
  const total = prayedText(times, localDay(created_at), isKnown ? last : localDay(created_at))
  if (total === null) return []
  const title = isKnown ? `${total}, last on ${dateText(last, today)}` : total
  return [{ day: isKnown ? last : '', entry: { kind: 'fact', id: 'prayed', title } }]
}
