import { useContext, useMemo } from 'react'
import { UserError } from '#web/lib/error-message.ts'
import { deletionOf, insertOf, type NewRowChange, updateOf } from '#web/sync/change.ts'
import type { Sync } from '#web/sync/open-sync.ts'
import { CATEGORIES, type Category, CATEGORY_HAS_PRAYERS } from './categories.ts'
import { type ActionResult, makeChange, notFound } from './make-change.ts'
import { countByCategory } from './prayers.ts'
import { type UserData, UserDataContext } from './rows.ts'

/** What the user can change about one category. Its place in the order is changed by reordering all of them. */
export type CategoryFields = Pick<Category, 'name' | 'is_visible' | 'pray_days'>

export interface CategoryActions {
  /** Adds a visible category at the end, under the given id. Repeated with the same id, it is still one category. */
  add: (
    id: string,
    name: string,
    others?: Partial<Pick<CategoryFields, 'pray_days'>>,
  ) => Promise<ActionResult>
  /** Changes the given fields only, here and on the server. */
  change: (id: string, fields: Partial<CategoryFields>) => Promise<ActionResult>
  /** Deletes a category without prayers; otherwise the error is CATEGORY_HAS_PRAYERS. */
  remove: (id: string) => Promise<ActionResult>
  /** Puts the categories into the order of the given ids, which are those of all categories. */
  reorder: (ids: readonly string[]) => Promise<ActionResult>
}

export function useCategoryActions(): CategoryActions {
  const data = useContext(UserDataContext)
  return useMemo(() => categoryActions(data), [data])
}

export function categoryActions(data: UserData | null): CategoryActions {
  const table = 'categories'
  return {
    add: (id, name, others) =>
      makeChange(data, { table, kind: 'insert' }, async (sync, user_id) => {
        // Without a connection, the number follows those that are known; two categories may share one.
        await isComplete(sync)
        return newCategory({ id, user_id, name, ...others }, sync.rows(table))
      }),
    change: (id, fields) =>
      makeChange(data, { table, kind: 'update' }, (sync) => {
        const isKnown = sync.rows('categories').some((category) => category.id === id)
        if (!isKnown) throw notFound(CATEGORIES)
        const updated_at = new Date().toISOString()
        return updateOf(table, id, { ...fields, updated_at }, {})
      }),
    remove: (id) =>
      makeChange(data, { table, kind: 'delete' }, async (sync) => {
        if ((await countPrayers(sync, id)) > 0) throw new UserError(CATEGORY_HAS_PRAYERS)
        return deletionOf(table, id, {})
      }),
    reorder: (ids) =>
      makeChange(data, { table, kind: 'call', name: 'reorder_categories' }, () => ({
        kind: 'call',
        table,
        name: 'reorder_categories',
        args: { category_ids: [...ids] },
      })),
  }
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

/**
 * Adds a visible category after those that there are.
 *
 * @param others how many others are added before it in the same step
 */
export function newCategory(
  given: Pick<Category, 'id' | 'user_id' | 'name'> & Partial<Pick<Category, 'pray_days'>>,
  categories: readonly Category[],
  others = 0,
): NewRowChange {
  const created_at = new Date().toISOString()
  const order = nextOrder(categories) + others
  return insertOf('categories', { ...given, order, is_visible: true, created_at, updated_at: created_at })
}

/** The order number of a new category, which comes last. */
function nextOrder(categories: readonly Category[]): number {
  return Math.max(0, ...categories.map((category) => category.order)) + 1
}

/** Counts the prayers of a category, once all of them have been received. Rejects if they cannot be fetched. */
export async function countPrayers(sync: Sync, categoryId: string): Promise<number> {
  if (!(await isComplete(sync))) throw sync.status().error ?? new Error('The prayers have not been fetched.')
  return countByCategory(sync.rows('prayers')).get(categoryId) ?? 0
}

/** Waits for the first rows if necessary. Resolves to whether all rows have been received. */
export async function isComplete(sync: Sync): Promise<boolean> {
  if (!sync.status().complete) await sync.syncNow()
  return sync.status().complete
}
