import { useContext, useMemo } from 'react'
import { boolean, type InferOutput, nullable, nullish, number, object, optional, string } from 'valibot'
import type { Json } from '#shared/database.types.ts'
import { UPDATE_MAX_LENGTH } from '#shared/limits.ts'
import { dateText } from '#web/lib/days/day-text.ts'
import { type Day, localDay, today } from '#web/lib/days/days.ts'
import { UserError } from '#web/lib/error-message.ts'
import { newId } from '#web/lib/new-id.ts'
import { deletionOf, insertOf, type NewCall, type NewRowChange, updateOf } from '#web/sync/change.ts'
import { type Columns, type Copy, describedBy, type RowOf, type Same } from '#web/sync/schema.ts'
import type { Sync } from '#web/sync/open-sync.ts'
import { type ActionResult, makeChange, notFound } from './make-change.ts'
import { type ListState, type UserData, UserDataContext, useRows } from './rows.ts'
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
})

export type Prayer = Same<RowOf<'prayers'>, InferOutput<typeof prayerSchema>>

/** What the user can change about a prayer. */
export type PrayerFields = Pick<Prayer, 'category_id' | 'person_name' | 'note' | 'resolved'> &
  Partial<Pick<Prayer, 'due_on' | 'due_repeats' | 'pray_days' | 'resting_until' | 'answered_on' | 'answer'>>

/** What the user enters for a new prayer, which is always unresolved. */
export type NewPrayer = Omit<PrayerFields, 'resolved' | 'answered_on' | 'answer'>

export interface PrayerActions {
  /** Adds a prayer under the given id. Repeated with the same id, it is still one prayer. */
  add: (id: string, fields: NewPrayer) => Promise<ActionResult>
  /**
   * Changes the given fields only, here and on the server.
   *
   * @param shown the prayer as it was when editing began: a note or answer that was changed elsewhere since is not
   *   overwritten. Then this one becomes an update of the prayer.
   */
  change: (shown: Prayer, fields: Partial<PrayerFields>) => Promise<ActionResult>
  /**
   * Undoes that a prayer was resolved or reopened. One that was reopened gets its answer back.
   *
   * @param shown the prayer as it was before
   */
  restore: (shown: Prayer) => Promise<ActionResult>
  /** Deletes a prayer with its updates, unless there are texts among them that were written elsewhere and not shown. */
  remove: (shown: Prayer) => Promise<ActionResult>
  /** Records that prayers were prayed on a day. However often this is repeated, they count once for that day. */
  markPrayed: (ids: readonly string[], day: Day) => Promise<ActionResult>
  /**
   * Takes back that prayers were prayed on a day. This device does not know the day before that: until the server has
   * responded, the prayers have none.
   */
  unmarkPrayed: (ids: readonly string[], day: Day) => Promise<ActionResult>
}

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

export function usePrayerActions(): PrayerActions {
  const data = useContext(UserDataContext)
  return useMemo(() => prayerActions(data), [data])
}

/** When the pause of an open prayer ends, which the database calls resting: it comes back on that day. Null if it is not paused on the given day. */
export function pausedUntil(
  { resolved, resting_until: end }: Pick<Prayer, 'resolved' | 'resting_until'>,
  day: Day,
): Day | null {
  return !resolved && end !== null && end > day ? end : null
}

/** Whether a prayer was last prayed on a day. */
export function isPrayed({ last_prayed_on: last }: Pick<Prayer, 'last_prayed_on'>, day: Day): boolean {
  return last === day
}

/** How many prayers each category has, resolved ones included. Categories without prayers are left out. */
export function countByCategory(prayers: readonly Prayer[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { category_id } of prayers) counts.set(category_id, (counts.get(category_id) ?? 0) + 1)
  return counts
}

export function prayerActions(data: UserData | null): PrayerActions {
  const table = 'prayers'
  /** The ids of the updates that answers have become here, by the id of the prayer. */
  const formerAnswers = new Map<string, string>()
  /** Several are made in one step. */
  const change = (shown: Prayer, ...changes: readonly Partial<PrayerFields>[]) =>
    makeChange(data, { table, kind: 'update' }, (sync) => {
      requireKnown(sync, shown)
      return changes.map((fields) => updateOf(table, shown.id, fields, textsOf(shown)))
    })
  const reopen = (shown: Prayer, body: string, others: Partial<PrayerFields>) =>
    makeChange(data, { table, kind: 'update' }, (sync, user_id) => {
      requireKnown(sync, shown)
      const id = newId()
      formerAnswers.set(shown.id, id)
      const reopened = reopening(shown, { id, user_id, body, created_at: new Date().toISOString() })
      if (Object.keys(others).length === 0) return reopened
      return [reopened, updateOf(table, shown.id, others, { ...textsOf(shown), answer: null })]
    })
  return {
    add: (id, fields) =>
      makeChange(data, { table, kind: 'insert' }, (_, user_id) => {
        requireFields(fields)
        return newPrayer(fields, { id, user_id, created_at: new Date().toISOString() })
      }),
    change: (shown, fields) => {
      if (isResolving(shown, fields)) return change(shown, { answered_on: today(), ...fields })
      const { resolved, ...others } = fields
      const isReopening = resolved === false && shown.resolved
      return isReopening && shown.answer !== null
        ? reopen(shown, shown.answer, others)
        : change(shown, fields)
    },
    restore: (shown) => {
      const { answered_on } = shown
      const formerAnswer = formerAnswers.get(shown.id)
      if (!shown.resolved) return change(shown, { resolved: false })
      if (shown.answer !== null && formerAnswer !== undefined)
        return makeChange(data, { table, kind: 'update' }, () => undoneReopening(shown, formerAnswer))
      const resolved = { resolved: true, answered_on }
      // The database dates what is resolved without a date.
      return answered_on === null ? change(shown, resolved, { answered_on }) : change(shown, resolved)
    },
    remove: (shown) => makeChange(data, { table, kind: 'delete' }, () => removalOf(shown)),
    markPrayed: (ids, day) =>
      makeChange(data, { table, kind: 'call', name: 'mark_prayed' }, (sync) => {
        const counted = sync.rows(table).filter((prayer) => isPrayed(prayer, day))
        const countedIds = new Set(counted.map(({ id }) => id))
        const prayer_ids = ids.filter((id) => !countedIds.has(id))
        if (prayer_ids.length === 0) return null
        return { kind: 'call', table, name: 'mark_prayed', args: { prayer_ids, prayed_on: day } }
      }),
    unmarkPrayed: (ids, day) =>
      makeChange(data, { table, kind: 'call', name: 'unmark_prayed' }, (sync) => {
        const uncounted = sync.rows(table).filter((prayer) => !mayHavePrayedOn(prayer, day))
        const uncountedIds = new Set(uncounted.map(({ id }) => id))
        const prayer_ids = ids.filter((id) => !uncountedIds.has(id))
        if (prayer_ids.length === 0) return null
        return { kind: 'call', table, name: 'unmark_prayed', args: { prayer_ids, prayed_on: day } }
      }),
  }
}

/** Reopens a prayer, whose answer becomes an update with this id and text. */
export function reopening(
  { id: prayer_id, answered_on }: Prayer,
  former: Pick<RowOf<'prayer_updates'>, 'id' | 'user_id' | 'created_at' | 'body'>,
): NewCall {
  const { id: update_id, created_at } = former
  return {
    kind: 'call',
    table: 'prayers',
    name: 'reopen_prayer',
    args: { prayer_id, update_id, reopened_at: created_at },
    shownAs: [
      updateOf('prayers', prayer_id, { resolved: false, answer: null, answered_on: null }, {}),
      insertOf('prayer_updates', { ...former, prayer_id, answered_on, updated_at: created_at }),
    ],
  }
}

/** Resolves a prayer again as it was, with its answer, which has become this update. */
export function undoneReopening({ id: prayer_id, answer, answered_on }: Prayer, update_id: string): NewCall {
  return {
    kind: 'call',
    table: 'prayers',
    name: 'undo_reopen_prayer',
    args: { prayer_id, update_id },
    shownAs: [
      updateOf('prayers', prayer_id, { resolved: true, answer, answered_on }, {}),
      deletionOf('prayer_updates', update_id, {}),
    ],
  }
}

/** Adds a prayer. */
export function newPrayer(
  { category_id, person_name, note, ...others }: NewPrayer,
  row: Pick<Prayer, 'id' | 'user_id' | 'created_at'>,
): NewRowChange {
  const fields = { category_id, person_name, note, ...withoutUnused(others), ...row, resolved: false }
  return insertOf('prayers', fields)
}

/** Deletes a prayer with the texts that are shown. */
export function removalOf(shown: Prayer): NewRowChange {
  return deletionOf('prayers', shown.id, textsOf(shown))
}

function requireKnown(sync: Sync, { id }: Prayer): void {
  if (!sync.rows('prayers').some((prayer) => prayer.id === id)) throw notFound(PRAYERS)
}

/** The day of the answer is that of the user's time zone, which the database does not know. */
function isResolving(shown: Prayer, { resolved }: Partial<PrayerFields>): boolean {
  return resolved === true && !shown.resolved
}

function textsOf({ note, answer }: Prayer): Pick<Prayer, 'note' | 'answer'> {
  return { note, answer }
}

/** A server of an older version rejects columns that it does not know: those that were not used are not sent. */
function withoutUnused<Fields extends object>(fields: Fields): Partial<Fields> {
  const used: Partial<Fields> = {}
  for (const name in fields) if (fields[name] !== null) used[name] = fields[name]
  return used
}

/** The database dates the answer when a prayer is resolved without a date, and a date that is removed does not repeat. */
function derived(prayer: Prayer, { fields, at }: { fields: Columns; at: string }): Partial<Prayer> {
  const set: Partial<Prayer> = fields.due_on === null ? { due_repeats: null } : {}
  if (fields.resolved === false) set.answered_on = null
  if (fields.resolved === true && !prayer.resolved) set.answered_on = at.slice(0, 10)
  return set
}

function moved(prayers: readonly Prayer[], category_id: Json | undefined): readonly Prayer[] {
  return typeof category_id === 'string' ? prayers.map((prayer) => ({ ...prayer, category_id })) : []
}

/** As the database function does it, as far as the days are known here. */
function prayed(prayers: readonly Prayer[], day: Json | undefined): readonly Prayer[] {
  if (typeof day !== 'string') return []
  return prayers.filter((prayer) => !isPrayed(prayer, day)).map((prayer) => withPrayedDay(prayer, day))
}

function withPrayedDay(prayer: Prayer, day: Day): Prayer {
  const last = prayer.last_prayed_on
  const last_prayed_on = last !== null && last > day ? last : day
  return { ...prayer, last_prayed_on, times_prayed: prayer.times_prayed + 1 }
}

/** As far as this device knows: it does not have the days before the latest. */
function mayHavePrayedOn({ last_prayed_on: last, times_prayed: times }: Prayer, day: Day): boolean {
  return last === null ? times > 0 : last >= day
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

function requireFields(fields: NewPrayer): void {
  const required = ['category_id', 'person_name'] as const
  const missing = required.filter((name) => fields[name] === '')
  if (missing.length > 0) throw new UserError(`Missing required fields: ${missing.join(', ')}`)
}

/** The order of lists; of two rows created at the same time, the one with the higher id comes first. */
export function newestFirst(
  a: Pick<Prayer, 'id' | 'created_at'>,
  b: Pick<Prayer, 'id' | 'created_at'>,
): number {
  const difference = compareTimes(b.created_at, a.created_at)
  if (difference !== 0 || a.id === b.id) return difference
  return a.id > b.id ? -1 : 1
}

/**
 * Orders ISO 8601 texts by time. Texts of the same form are compared as they are: that is faster, and exact to the
 * microsecond. So are texts that cannot be read as a time.
 */
export function compareTimes(a: string, b: string): number {
  const hasSameForm = a.length === b.length && a.endsWith('+00:00') && b.endsWith('+00:00')
  const difference = hasSameForm ? Number.NaN : Date.parse(a) - Date.parse(b)
  if (!Number.isNaN(difference)) return difference
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Texts of a list among the arguments of a database function. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
