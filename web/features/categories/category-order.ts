import type { Category } from './category.ts'

/** By order; two devices may have given the same number: then the older one first, then by id. */
export function sortCategories(categories: readonly Category[]): readonly Category[] {
  return categories.toSorted(
    (a, b) =>
      a.order - b.order || Date.parse(a.created_at) - Date.parse(b.created_at) || (a.id < b.id ? -1 : 1),
  )
}

/** The order number of a new category: it comes last. */
export function nextOrder(categories: readonly Category[]): number {
  return Math.max(0, ...categories.map((category) => category.order)) + 1
}

/**
 * Renumbers 1..n by the given ids, as the database function does: unknown ids are ignored, categories that are not
 * listed keep their relative order after the listed ones.
 */
export function reorderCategories(
  categories: readonly Category[],
  ids: readonly string[],
): readonly Category[] {
  const position = new Map(ids.map((id, index) => [id, index]))
  const last = ids.length
  return sortCategories(categories)
    .toSorted((a, b) => (position.get(a.id) ?? last) - (position.get(b.id) ?? last))
    .map((category, index) => withOrder(category, index + 1))
}

function withOrder(category: Category, order: number): Category {
  return category.order === order ? category : { ...category, order }
}

/** The ids with the one at `from` moved to `to`; the same ids if there is no such place. */
export function moveId(ids: readonly string[], from: number, to: number): readonly string[] {
  const id = ids[from]
  if (id === undefined || to < 0 || to >= ids.length) return ids
  return ids.toSpliced(from, 1).toSpliced(to, 0, id)
}

/** The categories with the given ids, in their order. */
export function inOrder(categories: readonly Category[], ids: readonly string[]): readonly Category[] {
  const byId = new Map(categories.map((category) => [category.id, category]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
