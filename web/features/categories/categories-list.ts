import type { ListDefinition } from '#web/lib/lists/kept-list.ts'
import { signedIn } from '#web/lib/lists/signed-in.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import { applyCategoryChange, type CategoryChange } from './category-change.ts'
import { fetchCategoriesPage } from './fetch-categories.ts'
import type { Category } from './category.ts'

export type CategoriesDefinition = ListDefinition<Category, CategoryChange> & { userId: string | null }

/** The list of a person's categories, in their order. */
export function categoriesOf(userId: string | null): CategoriesDefinition {
  return {
    userId,
    key: ['categories', userId],
    fetchPage: async (after) => fetchCategoriesPage(signedIn(userId), after),
    pageSize: PAGE_SIZE,
    apply: applyCategoryChange,
  }
}
