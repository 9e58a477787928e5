import { boolean, type InferOutput, nullable, nullish, number, object, optional, string } from 'valibot'
import type { Json } from '#shared/database.types.ts'
import { UPDATE_MAX_LENGTH } from '#shared/limits.ts'
import { dateText } from '#web/lib/days/day-text.ts'
import { type Day, localDay } from '#web/lib/days/days.ts'
import { type Copy, type DerivedFrom, describedBy, type RowOf, type Same } from '#web/sync/schema.ts'
import { newestFirst } from './order.ts'
import { type ListState, useRows } from './rows.ts'
import type { TableDefinition } from './table-definition.ts'

/** The columns of a prayer, as on the server. Rows that were stored or exported before a column existed get its default. */
export const prayerSchema = object({
  id: string(),
  user_id: string(),
  category_id: string(),
  person_name: string(),
  note: nullable(string()),
  resolved: boolean(),
  created_at: string(),
  rev: number(),
  due_on: nullish(string(), null),
  due_repeats: nullish(string(), null),
  pray_days: nullish(number(), null),
  resting_until: nullish(string(), null),
  last_prayed_on: nullish(string(), null),
  times_prayed: optional(number(), 0),
  answered_on: nullish(string(), null),
  answer: nullish(string(), null),
  written_rev: nullish(number(), null),
  note_changed_at: nullish(string(), null),
})

export type Prayer = Same<RowOf<'prayers'>, InferOutput<typeof prayerSchema>>

/** What the user can change about a prayer. */
export type PrayerFields = Pick<Prayer, 'category_id' | 'person_name' | 'note' | 'resolved'> &
  Partial<Pick<Prayer, 'due_on' | 'due_repeats' | 'pray_days' | 'resting_until' | 'answered_on' | 'answer'>>

/** What the user enters for a new prayer, which is always unresolved. */
export type NewPrayer = Omit<PrayerFields, 'resolved' | 'answered_on' | 'answer'>

export const PRAYERS: TableDefinition<'prayers'> = {
  ...describedBy(prayerSchema),
  name: 'prayers',
  rowName: 'Prayer',
  operations: {
    fetch: 'fetch prayers',
    insert: 'add prayer',
    update: 'update prayer',
    delete: 'delete prayer',
  },
  compare: newestFirst,
  order: [
    { column: 'created_at', descending: true },
    { column: 'id', descending: true },
  ],
  typed: ['person_name', 'note', 'answer'],
  texts: ['note', 'answer'],
  movedText: { name: 'answer', with: ['resolved', 'answered_on'] },
  computed: ['last_prayed_on', 'times_prayed', 'written_rev'],
  conflictCopy: keptAsUpdate,
  reference: { column: 'category_id', table: 'categories', cascades: false, rowName: 'category' },
  derive: derived,
  datedAt: ({ note_changed_at: changed, created_at: added }) =>
    [changed, added].find((time) => typeof time === 'string'),
  calls: {
    mark_prayed: {
      operation: 'mark prayers as prayed',
      apply: (prayers, { prayed_on }) => prayed(prayers, prayed_on),
      refersTo: ({ prayer_ids }) => textsIn(prayer_ids),
    },
    unmark_prayed: {
      operation: 'mark prayers as not prayed',
      apply: (prayers, { prayed_on }) => takenBack(prayers, prayed_on),
      refersTo: ({ prayer_ids }) => textsIn(prayer_ids),
    },
    reopen_prayer: { refersTo: ({ prayer_id, update_id }) => textsIn([prayer_id, update_id]) },
    undo_reopen_prayer: { refersTo: ({ prayer_id, update_id }) => textsIn([prayer_id, update_id]) },
    move_prayers: {
      apply: (prayers, { category_id }) => moved(prayers, category_id),
      refersTo: ({ prayer_ids }) => textsIn(prayer_ids),
      update: ({ category_id = null }) => ({ category_id }),
    },
  },
}

/** The user's prayers, newest first. */
export function usePrayers(): ListState<Prayer> {
  return useRows('prayers')
}

/** When the pause of an open prayer ends, which the database calls resting: it comes back on that day. Null if it is not paused on the given day. */
export function pausedUntil(
  { resolved, resting_until: end }: Pick<Prayer, 'resolved' | 'resting_until'>,
  day: Day,
): Day | null {
  return !resolved && end !== null && end > day ? end : null
}

/** Whether a prayer was last prayed on a day. */
export function isLastPrayedOn({ last_prayed_on: last }: Pick<Prayer, 'last_prayed_on'>, day: Day): boolean {
  return last === day
}

/** How many prayers each category has, resolved ones included. Categories without prayers are left out. */
export function countByCategory(prayers: readonly Prayer[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { category_id } of prayers) counts.set(category_id, (counts.get(category_id) ?? 0) + 1)
  return counts
}

/**
 * A date that is removed does not repeat, an open prayer has no date of an answer, and a note is as old as its last change: one that is sent as
 * it is, to be encrypted, is not changed.
 */
function derived({ fields, base, at, datedAt = at }: DerivedFrom): Partial<Prayer> {
  return {
    ...(fields.due_on === null && { due_repeats: null }),
    ...(fields.resolved === false && { answered_on: null }),
    ...(fields.note !== undefined && fields.note !== base.note && { note_changed_at: datedAt }),
  }
}

function moved(prayers: readonly Prayer[], category_id: Json | undefined): readonly Prayer[] {
  return typeof category_id === 'string' ? prayers.map((prayer) => ({ ...prayer, category_id })) : []
}

/** As the database function does it, as far as the days are known here. */
function prayed(prayers: readonly Prayer[], day: Json | undefined): readonly Prayer[] {
  if (typeof day !== 'string') return []
  return prayers.filter((prayer) => !isLastPrayedOn(prayer, day)).map((prayer) => withPrayedDay(prayer, day))
}

function withPrayedDay(prayer: Prayer, day: Day): Prayer {
  const last = prayer.last_prayed_on
  const last_prayed_on = last !== null && last > day ? last : day
  return { ...prayer, last_prayed_on, times_prayed: prayer.times_prayed + 1 }
}

/** As the database function does it, as far as the days are known here. */
function takenBack(prayers: readonly Prayer[], day: Json | undefined): readonly Prayer[] {
  return prayers.filter(({ last_prayed_on: last }) => last === day).map(withoutLatestDay)
}

function withoutLatestDay(prayer: Prayer): Prayer {
  return { ...prayer, last_prayed_on: null, times_prayed: prayer.times_prayed - 1 }
}

/**
 * The update of a prayer that keeps a text which has lost against that of another device. A text of the greatest length has
 * no room for the heading: the date of the update has to do.
 */
export function keptAsUpdate(prayer_id: string, text: string, at: string): Copy<'prayer_updates'> {
  const day = localDay(at)
  const time = new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const titled = `Your version of ${dateText(day, day)}, ${time}\n\n${text}`
  const body = titled.length > UPDATE_MAX_LENGTH ? text : titled
  return { table: 'prayer_updates', fields: { prayer_id, body, created_at: at, updated_at: at } }
}

/** The text that such an update keeps; any other text as it is. */
export function withoutHeading(body: string): string {
  return body.replace(/^(?:Your version of [^\n]*\n\n)+/, '')
}

/** Texts of a list among the arguments of a database function. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
