import { boolean, type InferOutput, nullish, number, object, string } from 'valibot'
import { describedBy, type RowOf, type Same } from '#web/sync/schema.ts'
import { compareTimes } from './order.ts'
import { textsIn } from './prayers.ts'
import { type ListState, useRows } from './rows.ts'
import type { TableDefinition } from './table-definition.ts'

export const CATEGORY_HAS_PRAYERS =
  'Cannot delete category with existing prayers. Please delete or move all prayers from this category first.'

/** The columns of a category, as on the server. Rows that were stored or exported before a column existed get its default. */
export const categorySchema = object({
  id: string(),
  user_id: string(),
  name: string(),
  order: number(),
  is_visible: boolean(),
  created_at: string(),
  updated_at: string(),
  rev: number(),
  pray_days: nullish(number(), null),
})

export type Category = Same<RowOf<'categories'>, InferOutput<typeof categorySchema>>

/** What users know a category by. */
export type NamedCategory = Pick<Category, 'id' | 'name'>

export const CATEGORIES: TableDefinition<'categories'> = {
  ...describedBy(categorySchema),
  name: 'categories',
  rowName: 'Category',
  operations: {
    fetch: 'fetch categories',
    insert: 'add category',
    update: 'update category',
    delete: 'delete category',
  },
  compare: byOrder,
  order: [{ column: 'order' }, { column: 'created_at' }, { column: 'id' }],
  typed: ['name'],
  texts: [],
  computed: ['updated_at'],
  reference: null,
  inUse: CATEGORY_HAS_PRAYERS,
  calls: {
    reorder_categories: {
      operation: 'reorder categories',
      apply: (categories, args) => reordered(categories, textsIn(args.category_ids)),
    },
  },
}

/** The user's categories, in their order. */
export function useCategories(): ListState<Category> {
  return useRows('categories')
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
