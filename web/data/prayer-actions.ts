import { useContext, useMemo } from 'react'
import { type Day, today } from '#web/lib/days/days.ts'
import { UserError } from '#web/lib/error-message.ts'
import { newId } from '#web/lib/new-id.ts'
import { deletionOf, insertOf, type NewCall, type NewRowChange, updateOf } from '#web/sync/change.ts'
import type { Sync } from '#web/sync/open-sync.ts'
import type { RowOf } from '#web/sync/schema.ts'
import { type ActionResult, makeChange, notFound } from './make-change.ts'
import { compareTimes } from './order.ts'
import { updatesIn } from './prayer-updates.ts'
import { isLastPrayedOn, type NewPrayer, type Prayer, type PrayerFields, PRAYERS } from './prayers.ts'
import { type UserData, UserDataContext } from './rows.ts'

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

export function usePrayerActions(): PrayerActions {
  const data = useContext(UserDataContext)
  return useMemo(() => prayerActions(data), [data])
}

export function prayerActions(data: UserData | null): PrayerActions {
  const table = 'prayers'
  /** The ids of the updates that answers have become here, by the id of the prayer. */
  const formerAnswers = new Map<string, string>()
  /** Several are made in one step. */
  const change = (shown: Prayer, ...changes: readonly Partial<PrayerFields>[]) =>
    makeChange(data, { table, kind: 'update' }, (sync) => {
      requireKnown(sync, shown)
      return changes.map((fields) => updateFrom(sync, shown, fields, textsOf(shown)))
    })
  const reopen = (shown: Prayer, body: string, others: Partial<PrayerFields>) =>
    makeChange(data, { table, kind: 'update' }, (sync, user_id) => {
      requireKnown(sync, shown)
      const id = newId()
      formerAnswers.set(shown.id, id)
      const reopened = reopening(shown, { id, user_id, body, created_at: new Date().toISOString() })
      if (Object.keys(others).length === 0) return reopened
      const base = { ...textsOf(shown), answer: null }
      return [reopened, updateFrom(sync, shown, others, base)]
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
        const counted = sync.rows(table).filter((prayer) => isLastPrayedOn(prayer, day))
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

/**
 * Changes a prayer that shows. If the clock of this device is slow, a note gets the time of the newest update, so that it does not seem older
 * than the updates that show with it.
 */
function updateFrom(
  sync: Sync,
  { id }: Prayer,
  fields: Partial<PrayerFields>,
  base: Pick<Prayer, 'note' | 'answer'>,
): NewRowChange {
  const update = updateOf('prayers', id, fields, base)
  const datedAt = updatesIn(sync, id)[0]?.created_at
  const isSlow = datedAt !== undefined && compareTimes(datedAt, new Date().toISOString()) > 0
  return isSlow ? { ...update, datedAt } : update
}

/** A server of an older version rejects columns that it does not know: those that were not used are not sent. */
function withoutUnused<Fields extends object>(fields: Fields): Partial<Fields> {
  const used: Partial<Fields> = {}
  for (const name in fields) if (fields[name] !== null) used[name] = fields[name]
  return used
}

/** As far as this device knows: it does not have the days before the latest. */
function mayHavePrayedOn({ last_prayed_on: last, times_prayed: times }: Prayer, day: Day): boolean {
  return last === null ? times > 0 : last >= day
}

function requireFields(fields: NewPrayer): void {
  const required = ['category_id', 'person_name'] as const
  const missing = required.filter((name) => fields[name] === '')
  if (missing.length > 0) throw new UserError(`Missing required fields: ${missing.join(', ')}`)
}
