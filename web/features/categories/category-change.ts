import type { Category, CategoryFields } from './category.ts'
import { reorderCategories, sortCategories } from './category-order.ts'

/** What can happen to the list of categories. */
export type CategoryChange =
  /** The row as the server has it now, new or not. */
  | { kind: 'saved'; category: Category }
  | { kind: 'edited'; id: string; fields: Partial<CategoryFields> }
  | { kind: 'deleted'; id: string }
  | { kind: 'reordered'; ids: readonly string[] }

/** The categories, in their order, after a change. */
export function applyCategoryChange(
  categories: readonly Category[],
  change: CategoryChange,
): readonly Category[] {
  switch (change.kind) {
    case 'saved':
      return sortCategories([
        ...categories.filter((category) => category.id !== change.category.id),
        change.category,
      ])
    case 'edited':
      return categories.map((category) =>
        category.id === change.id ? { ...category, ...change.fields } : category,
      )
    case 'deleted':
      return categories.filter((category) => category.id !== change.id)
    case 'reordered':
      return reorderCategories(categories, change.ids)
  }
}
