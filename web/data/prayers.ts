import { useMemo } from 'react'
import type { Database } from '#shared/database.types.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import { UserError } from '#web/lib/error-message.ts'
import {
  type ActionResult,
  deletedRow,
  editedRow,
  runAction,
  savedRow,
  sendChange,
  whenSettled,
} from './change-list.ts'
import { cachedList, fetchRows, type ListDefinition, type UserList } from './list.ts'
import { type OrderColumn, rowsAfter } from '#web/sync/paging.ts'
import { rest } from './rest-client.ts'
import { type ListState, useList, useUserList } from './use-list.ts'

export type Prayer = Omit<Database['public']['Tables']['prayers']['Row'], 'rev'>

/** What the user can change about a prayer. */
export type PrayerFields = Omit<Prayer, 'id' | 'user_id' | 'created_at'>

/** What the user enters for a new prayer, which is always unresolved. */
export type NewPrayer = Omit<PrayerFields, 'resolved'>

export interface PrayerActions {
  /** Adds a prayer under the given id. Repeated with the same id, it is still one prayer. */
  add: (id: string, fields: NewPrayer) => Promise<ActionResult>
  /** Changes the given fields only, here and on the server. */
  update: (id: string, fields: Partial<PrayerFields>) => Promise<ActionResult>
  remove: (id: string) => Promise<ActionResult>
}

/** PostgreSQL's code for a row whose id exists already. */
const UNIQUE_VIOLATION = '23505'

const NEWEST_FIRST: readonly OrderColumn<Prayer>[] = [
  { column: 'created_at', descending: true },
  { column: 'id', descending: true },
]

export const PRAYERS: ListDefinition<Prayer> = { table: 'prayers', fetchPage, pageSize: PAGE_SIZE }

/** The user's prayers, newest first. */
export function usePrayers(): ListState<Prayer> {
  return useList(PRAYERS)
}

export function usePrayerActions(): PrayerActions {
  const list = useUserList(PRAYERS)
  return useMemo(() => prayerActions(list), [list])
}

/** Returns a function that counts the prayers of a category; see countPrayers. */
export function useCountPrayers(): (categoryId: string) => Promise<number> {
  const list = useUserList(PRAYERS)
  return useMemo(() => (categoryId) => countPrayers(list, categoryId), [list])
}

/** How many prayers each category has, resolved ones included. Categories without prayers are left out. */
export function countByCategory(prayers: readonly Prayer[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { category_id } of prayers) counts.set(category_id, (counts.get(category_id) ?? 0) + 1)
  return counts
}

/**
 * How many prayers a category has, resolved ones included. Fetches the prayers unless they are cached, and waits for
 * pending changes: the server may still have a prayer that is being deleted. Rejects when they cannot be fetched.
 */
export async function countPrayers(list: UserList<Prayer>, categoryId: string): Promise<number> {
  await whenSettled(list)
  const prayers = await fetchRows(list)
  return countByCategory(prayers).get(categoryId) ?? 0
}

export function prayerActions(list: UserList<Prayer>): PrayerActions {
  return {
    add: (id, fields) =>
      runAction(list, 'add prayer', async (user_id) => {
        requireFields(fields)
        const prayer = { ...fields, id, user_id, resolved: false, created_at: new Date().toISOString() }
        await sendChange(list, {
          change: savedRow(prayer, newestFirst),
          row: id,
          send: async () => savedRow(await insertPrayer(prayer, fields), newestFirst),
          onFailure: 'restore-row',
        })
      }),
    update: (id, fields) =>
      runAction(list, 'update prayer', async () => {
        const isKnown = cachedList(list)?.rows.some((prayer) => prayer.id === id)
        if (!isKnown) throw new UserError('Prayer not found')
        await sendChange(list, {
          change: editedRow(id, fields),
          row: id,
          send: async () => savedRow(await updatePrayer(id, fields), newestFirst),
          onFailure: 'restore-row',
        })
      }),
    remove: (id) =>
      runAction(list, 'delete prayer', () =>
        sendChange(list, {
          change: deletedRow(id),
          row: id,
          send: async () => {
            // A prayer that no longer exists counts as deleted: no row is no error.
            await rest.from('prayers').delete().eq('id', id).throwOnError()
            return deletedRow(id)
          },
          onFailure: 'refetch',
        }),
      ),
  }
}

function requireFields(fields: NewPrayer): void {
  const required = ['category_id', 'person_name'] as const
  const missing = required.filter((name) => fields[name] === '')
  if (missing.length > 0) throw new UserError(`Missing required fields: ${missing.join(', ')}`)
}

/** The order of the list; of two prayers created at the same time, the one with the higher id comes first. */
function newestFirst(a: Prayer, b: Prayer): number {
  const difference = Date.parse(b.created_at) - Date.parse(a.created_at)
  if (difference !== 0 || a.id === b.id) return difference
  return a.id > b.id ? -1 : 1
}

async function fetchPage(userId: string, after: Prayer | null): Promise<readonly Prayer[]> {
  const page = rest
    .from('prayers')
    .select('*')
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(PAGE_SIZE)
    .throwOnError()
  const { data } = await (after ? page.or(rowsAfter(after, NEWEST_FIRST)) : page)
  return data
}

/** Inserts a prayer; if an earlier request did so and its response was lost, the prayer gets these fields. */
async function insertPrayer(prayer: Prayer, fields: NewPrayer): Promise<Prayer> {
  const { data, error } = await rest.from('prayers').insert(prayer).select().single()
  if (error?.code === UNIQUE_VIOLATION) return updatePrayer(prayer.id, fields)
  if (error) throw error
  return data
}

async function updatePrayer(id: string, fields: Partial<PrayerFields>): Promise<Prayer> {
  const query = rest.from('prayers').update(fields).eq('id', id).select().maybeSingle()
  const { data } = await query.throwOnError()
  if (!data) throw new UserError('Prayer not found')
  return data
}
