import type { Category } from '#web/data/categories.ts'

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
