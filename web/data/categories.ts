import { useMemo } from 'react'
import type { Database } from '#shared/database.types.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import { UserError } from '#web/lib/error-message.ts'
import {
  type ActionResult,
  type Change,
  deletedRow,
  editedRow,
  runAction,
  savedRow,
  sendChange,
} from './change-list.ts'
import { cachedList, fetchRows, type ListDefinition, type UserList } from './list.ts'
import { type OrderColumn, rowsAfter } from '#web/sync/paging.ts'
import { countPrayers, type Prayer, PRAYERS } from './prayers.ts'
import { rest } from './rest-client.ts'
import { type ListState, useList, useUserList } from './use-list.ts'

export type Category = Omit<Database['public']['Tables']['categories']['Row'], 'rev'>

/** What the user can change about one category. Its place in the order is changed by reordering all of them. */
export type CategoryFields = Omit<Category, 'id' | 'user_id' | 'order' | 'created_at' | 'updated_at'>

export interface CategoryActions {
  /** Adds a visible category at the end, under the given id. Repeated with the same id, it is still one category. */
  add: (id: string, name: string) => Promise<ActionResult>
  /** Changes the given fields only, here and on the server. */
  update: (id: string, fields: Partial<CategoryFields>) => Promise<ActionResult>
  /** Deletes a category without prayers; otherwise the error is CATEGORY_HAS_PRAYERS. */
  remove: (id: string) => Promise<ActionResult>
  /** Puts the categories into the order of the given ids, which are those of all categories. */
  reorder: (ids: readonly string[]) => Promise<ActionResult>
}

export const CATEGORY_HAS_PRAYERS =
  'Cannot delete category with existing prayers. Please delete or move all prayers from this category first.'

/** PostgreSQL's code for a row whose id exists already. */
const UNIQUE_VIOLATION = '23505'
/** The code for a row that others refer to, up to PostgreSQL 17 and from 18 on. */
const STILL_REFERENCED = new Set(['23503', '23001'])

const BY_ORDER: readonly OrderColumn<Category>[] = [
  { column: 'order' },
  { column: 'created_at' },
  { column: 'id' },
]

export const CATEGORIES: ListDefinition<Category> = { table: 'categories', fetchPage, pageSize: PAGE_SIZE }

/** The user's categories, in their order. */
export function useCategories(): ListState<Category> {
  return useList(CATEGORIES)
}

export function useCategoryActions(): CategoryActions {
  const categories = useUserList(CATEGORIES)
  const prayers = useUserList(PRAYERS)
  return useMemo(() => categoryActions(categories, prayers), [categories, prayers])
}

/** @param prayers counted before a category is deleted */
export function categoryActions(list: UserList<Category>, prayers: UserList<Prayer>): CategoryActions {
  return {
    add: (id, name) => runAction(list, 'add category', (userId) => addCategory(list, userId, id, name)),
    update: (id, fields) =>
      runAction(list, 'update category', async () => {
        const isKnown = cachedList(list)?.rows.some((category) => category.id === id)
        if (!isKnown) throw new UserError('Category not found')
        await sendChange(list, {
          change: editedRow(id, fields),
          row: id,
          send: async () => {
            // While a reorder is pending, the order in this response is outdated.
            const { order: _outdated, ...saved } = await updateCategory(id, fields)
            return editedRow(id, saved)
          },
          onFailure: 'restore-row',
        })
      }),
    remove: (id) =>
      runAction(list, 'delete category', async () => {
        if ((await countPrayers(prayers, id)) > 0) throw new UserError(CATEGORY_HAS_PRAYERS)
        await sendChange(list, {
          change: deletedRow(id),
          row: id,
          send: async () => {
            await deleteCategory(id)
            return deletedRow(id)
          },
          onFailure: 'refetch',
        })
      }),
    reorder: (ids) =>
      runAction(list, 'reorder categories', () =>
        sendChange(list, {
          change: reorderedBy(ids),
          row: 'order',
          send: async () => {
            await rest.rpc('reorder_categories', { category_ids: [...ids] }).throwOnError()
            return reorderedBy(ids)
          },
          onFailure: 'refetch',
        }),
      ),
  }
}

async function addCategory(
  list: UserList<Category>,
  user_id: string,
  id: string,
  name: string,
): Promise<void> {
  const others = (await fetchRows(list)).filter((category) => category.id !== id)
  const now = new Date().toISOString()
  const category = { id, user_id, name, order: nextOrder(others), is_visible: true, created_at: now }
  await sendChange(list, {
    change: savedRow({ ...category, updated_at: now }, byOrder),
    row: id,
    send: async () => savedRow(await insertCategory(category), byOrder),
    onFailure: 'restore-row',
  })
}

/** The order number of a new category, which comes last. */
function nextOrder(categories: readonly Category[]): number {
  return Math.max(0, ...categories.map((category) => category.order)) + 1
}

/** By order number; of two with the same number, given by two devices, the older one comes first. */
function byOrder(a: Category, b: Category): number {
  const difference = a.order - b.order || Date.parse(a.created_at) - Date.parse(b.created_at)
  if (difference !== 0 || a.id === b.id) return difference
  return a.id < b.id ? -1 : 1
}

/**
 * Renumbers the categories 1..n by the given ids, as the database function does: unknown ids are ignored, and
 * categories that are not listed keep their relative order after the listed ones.
 */
export function reorderedBy(ids: readonly string[]): Change<Category> {
  const position = new Map(ids.map((id, index) => [id, index]))
  const positionOf = ({ id }: Category) => position.get(id) ?? ids.length
  return (categories) =>
    categories
      .toSorted((a, b) => positionOf(a) - positionOf(b) || byOrder(a, b))
      .map((category, index) => withOrder(category, index + 1))
}

function withOrder(category: Category, order: number): Category {
  return category.order === order ? category : { ...category, order }
}

async function fetchPage(userId: string, after: Category | null): Promise<readonly Category[]> {
  const page = rest
    .from('categories')
    .select('*')
    .eq('user_id', userId)
    .order('order')
    .order('created_at')
    .order('id')
    .limit(PAGE_SIZE)
    .throwOnError()
  const { data } = await (after ? page.or(rowsAfter(after, BY_ORDER)) : page)
  return data
}

/** Inserts a category; if an earlier request did so and its response was lost, the category gets this name. */
async function insertCategory(category: Omit<Category, 'updated_at'>): Promise<Category> {
  const { data, error } = await rest.from('categories').insert(category).select().single()
  if (error?.code === UNIQUE_VIOLATION) return updateCategory(category.id, { name: category.name })
  if (error) throw error
  return data
}

async function updateCategory(id: string, fields: Partial<CategoryFields>): Promise<Category> {
  const changes = { ...fields, updated_at: new Date().toISOString() }
  const query = rest.from('categories').update(changes).eq('id', id).select().maybeSingle()
  const { data } = await query.throwOnError()
  if (!data) throw new UserError('Category not found')
  return data
}

/** Deletes a category without prayers. One that no longer exists counts as deleted. */
async function deleteCategory(id: string): Promise<void> {
  const { error } = await rest.from('categories').delete().eq('id', id)
  if (error && STILL_REFERENCED.has(error.code)) throw new UserError(CATEGORY_HAS_PRAYERS)
  if (error) throw error
}
