import { useContext, useMemo } from 'react'
import { boolean, type InferOutput, number, object, string } from 'valibot'
import { UserError } from '#web/lib/error-message.ts'
import type { NewRowChange } from '#web/sync/change.ts'
import { describedBy, type RowOf, type Same, type TableRules } from '#web/sync/schema.ts'
import { type ActionResult, CATEGORY_HAS_PRAYERS, makeChange } from './changes.ts'
import { compareTimes, countPrayers, isComplete, textsIn } from './prayers.ts'
import { type ListState, type UserData, UserDataContext, useRows } from './rows.ts'

export const categorySchema = object({
  id: string(),
  user_id: string(),
  name: string(),
  order: number(),
  is_visible: boolean(),
  created_at: string(),
  updated_at: string(),
  rev: number(),
})

export type Category = Same<RowOf<'categories'>, InferOutput<typeof categorySchema>>

/** What the user can change about one category. Its place in the order is changed by reordering all of them. */
export type CategoryFields = Pick<Category, 'name' | 'is_visible'>

export interface CategoryActions {
  /** Adds a visible category at the end, under the given id. Repeated with the same id, it is still one category. */
  add: (id: string, name: string) => Promise<ActionResult>
  /** Changes the given fields only, here and on the server. */
  change: (id: string, fields: Partial<CategoryFields>) => Promise<ActionResult>
  /** Deletes a category without prayers; otherwise the error is CATEGORY_HAS_PRAYERS. */
  remove: (id: string) => Promise<ActionResult>
  /** Puts the categories into the order of the given ids, which are those of all categories. */
  reorder: (ids: readonly string[]) => Promise<ActionResult>
}

export const CATEGORY_RULES: TableRules<'categories'> = {
  ...describedBy(categorySchema),
  compare: byOrder,
  order: [{ column: 'order' }, { column: 'created_at' }, { column: 'id' }],
  typed: ['name'],
  texts: [],
  computed: ['updated_at'],
  reference: null,
  calls: {
    reorder_categories: { apply: (categories, args) => reordered(categories, textsIn(args['category_ids'])) },
  },
}

/** The user's categories, in their order. */
export function useCategories(): ListState<Category> {
  return useRows('categories')
}

export function useCategoryActions(): CategoryActions {
  const data = useContext(UserDataContext)
  return useMemo(() => categoryActions(data), [data])
}

export function categoryActions(data: UserData | null): CategoryActions {
  const table = 'categories'
  return {
    add: (id, name) =>
      makeChange(data, { table, kind: 'insert' }, async (sync, user_id) => {
        // Without a connection, the number follows those that are known; two categories may share one.
        await isComplete(sync)
        return newCategory({ id, user_id, name }, sync.rows(table))
      }),
    change: (id, fields) =>
      makeChange(data, { table, kind: 'update' }, (sync) => {
        const isKnown = sync.rows('categories').some((category) => category.id === id)
        if (!isKnown) throw new UserError('Category not found')
        const updated_at = new Date().toISOString()
        return { kind: 'update', table, row: id, fields: { ...fields, updated_at }, base: {} }
      }),
    remove: (id) =>
      makeChange(data, { table, kind: 'delete' }, async (sync) => {
        if ((await countPrayers(sync, id)) > 0) throw new UserError(CATEGORY_HAS_PRAYERS)
        return { kind: 'delete', table, row: id, base: {} }
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

/** Adds a visible category after those that there are. */
export function newCategory(
  given: Pick<Category, 'id' | 'user_id' | 'name'>,
  categories: readonly Category[],
): NewRowChange {
  const created_at = new Date().toISOString()
  const order = nextOrder(categories)
  const fields = { ...given, order, is_visible: true, created_at, updated_at: created_at }
  return { kind: 'insert', table: 'categories', row: given.id, fields }
}

/** The order number of a new category, which comes last. */
function nextOrder(categories: readonly Category[]): number {
  return Math.max(0, ...categories.map((category) => category.order)) + 1
}

/** By order number; of two with the same number, given by two devices, the older one comes first. */
function byOrder(a: Category, b: Category): number {
  const difference = a.order - b.order || compareTimes(a.created_at, b.created_at)
  if (difference !== 0 || a.id === b.id) return difference
  return a.id < b.id ? -1 : 1
}

/**
 * Renumbers the categories 1..n by the given ids, as the database function does: unknown ids are ignored, and
 * categories that are not listed keep their relative order after the listed ones.
 */
function reordered(categories: readonly Category[], ids: readonly string[]): readonly Category[] {
  const position = new Map(ids.map((id, index) => [id, index]))
  const positionOf = ({ id }: Category) => position.get(id) ?? ids.length
  return categories
    .toSorted((a, b) => positionOf(a) - positionOf(b) || byOrder(a, b))
    .map((category, index) => withOrder(category, index + 1))
}

function withOrder(category: Category, order: number): Category {
  return category.order === order ? category : { ...category, order }
}
