import { useContext, useMemo } from 'react'
import { UserError } from '#web/lib/error-message.ts'
import type { Row, RowOf, TableRules } from '#web/sync/schema.ts'
import type { DeviceSync } from '#web/sync/open-sync.ts'
import { type ActionResult, makeChange } from './changes.ts'
import { type ListState, type UserData, UserDataContext, useRows } from './rows.ts'

export type Prayer = RowOf<'prayers'>

/** What the user can change about a prayer. */
export type PrayerFields = Pick<Prayer, 'category_id' | 'person_name' | 'note' | 'resolved'>

/** What the user enters for a new prayer, which is always unresolved. */
export type NewPrayer = Omit<PrayerFields, 'resolved'>

export interface PrayerActions {
  /** Adds a prayer under the given id. Repeated with the same id, it is still one prayer. */
  add: (id: string, fields: NewPrayer) => Promise<ActionResult>
  /**
   * Changes the given fields only, here and on the server.
   *
   * @param shown the prayer as it was when editing began: a note that was changed elsewhere since is not overwritten
   */
  update: (shown: Prayer, fields: Partial<PrayerFields>) => Promise<ActionResult>
  /** Deletes a prayer, unless its note was changed elsewhere and is not the one that was shown. */
  remove: (shown: Prayer) => Promise<ActionResult>
}

export const PRAYER_RULES: TableRules<'prayers'> = {
  compare: newestFirst,
  order: [
    { column: 'created_at', descending: true },
    { column: 'id', descending: true },
  ],
  isRow: isPrayer,
  typed: ['person_name', 'note'],
  texts: ['note'],
  reference: { column: 'category_id', table: 'categories' },
  calls: {},
}

/** The user's prayers, newest first. */
export function usePrayers(): ListState<Prayer> {
  return useRows('prayers')
}

export function usePrayerActions(): PrayerActions {
  const data = useContext(UserDataContext)
  return useMemo(() => prayerActions(data), [data])
}

/** Returns a function that counts the prayers of a category; see countPrayers. */
export function useCountPrayers(): (categoryId: string) => Promise<number> {
  const data = useContext(UserDataContext)
  return useMemo(
    () => async (categoryId) => {
      if (!data) throw new UserError('User not authenticated')
      return countPrayers(await data.opened, categoryId)
    },
    [data],
  )
}

/** How many prayers each category has, resolved ones included. Categories without prayers are left out. */
export function countByCategory(prayers: readonly Prayer[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { category_id } of prayers) counts.set(category_id, (counts.get(category_id) ?? 0) + 1)
  return counts
}

/** Counts the prayers of a category, once all of them have been received. Rejects if they cannot be fetched. */
export async function countPrayers(sync: DeviceSync, categoryId: string): Promise<number> {
  if (!(await isComplete(sync))) throw sync.status().error ?? new Error('The prayers have not been fetched.')
  return countByCategory(sync.rows('prayers')).get(categoryId) ?? 0
}

/** Waits for the first rows if necessary. Resolves to whether all rows have been received. */
export async function isComplete(sync: DeviceSync): Promise<boolean> {
  if (!sync.status().complete) await sync.syncNow()
  return sync.status().complete
}

export function prayerActions(data: UserData | null): PrayerActions {
  const table = 'prayers'
  return {
    add: (id, fields) =>
      makeChange(data, { table, kind: 'insert' }, (_, user_id) => {
        requireFields(fields)
        const created_at = new Date().toISOString()
        return { row: id, fields: { ...fields, id, user_id, resolved: false, created_at } }
      }),
    update: (shown, fields) =>
      makeChange(data, { table, kind: 'update' }, (sync) => {
        const isKnown = sync.rows('prayers').some(({ id }) => id === shown.id)
        if (!isKnown) throw new UserError('Prayer not found')
        return { row: shown.id, fields, base: { note: shown.note } }
      }),
    remove: (shown) =>
      makeChange(data, { table, kind: 'delete' }, () => ({
        row: shown.id,
        fields: {},
        base: { note: shown.note },
      })),
  }
}

function requireFields(fields: NewPrayer): void {
  const required = ['category_id', 'person_name'] as const
  const missing = required.filter((name) => fields[name] === '')
  if (missing.length > 0) throw new UserError(`Missing required fields: ${missing.join(', ')}`)
}

/** The order of the list; of two prayers created at the same time, the one with the higher id comes first. */
function newestFirst(a: Prayer, b: Prayer): number {
  const difference = compareTimes(b.created_at, a.created_at)
  if (difference !== 0 || a.id === b.id) return difference
  return a.id > b.id ? -1 : 1
}

/**
 * Orders ISO 8601 texts by time. Texts of the same form are compared as they are: that is faster, and exact to the
 * microsecond.
 */
export function compareTimes(a: string, b: string): number {
  const hasSameForm = a.length === b.length && a.endsWith('+00:00') && b.endsWith('+00:00')
  if (!hasSameForm) return Date.parse(a) - Date.parse(b)
  if (a === b) return 0
  return a < b ? -1 : 1
}

function isPrayer(row: Row): row is Row & Prayer {
  const { user_id: userId, category_id: categoryId, person_name: name, note, resolved } = row
  return (
    typeof userId === 'string' &&
    typeof categoryId === 'string' &&
    typeof name === 'string' &&
    (note === null || typeof note === 'string') &&
    typeof resolved === 'boolean' &&
    typeof row['created_at'] === 'string'
  )
}
