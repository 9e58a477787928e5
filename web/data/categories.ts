import { boolean, type InferOutput, number, object, string } from 'valibot'
import { describedBy, type RowOf, type Same, type TableRules } from '#web/sync/schema.ts'
import { compareTimes, textsIn } from './prayers.ts'
import { type ListState, useRows } from './rows.ts'

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
