import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Attempt } from '#web/lib/error-text.ts'
import { attempt, type ActionResult } from '#web/lib/lists/attempt.ts'
import { useProblem, type Problem } from '#web/lib/lists/problem.ts'
import { useList, type ListInView } from '#web/lib/lists/use-list.ts'
import { categoriesOf } from './categories-list.ts'
import {
  addCategory,
  editCategory,
  orderCategories,
  removeCategory,
  type CountPrayers,
} from './category-actions.ts'
import type { Category, CategoryFields } from './category.ts'

export type CategoriesInView = ListInView<Category> & { problem: Problem | null }

export type CategoryActions = {
  add: (id: string, name: string) => Promise<ActionResult>
  /** Sends the given fields only. */
  update: (id: string, fields: Partial<CategoryFields>) => Promise<ActionResult>
  remove: (id: string) => Promise<ActionResult>
  /** Takes the ids of all categories in their new order. */
  reorder: (ids: readonly string[]) => Promise<ActionResult>
}

/** A person's categories as they should see them, in their order. */
export function useCategories(userId: string | null): CategoriesInView {
  const definition = useMemo(() => categoriesOf(userId), [userId])
  const list = useList(definition)
  return { ...list, problem: useProblem(definition.key, list, 'fetch categories') }
}

/** @param countPrayers asked before a category is deleted: one that holds prayers stays */
export function useCategoryActions(userId: string | null, countPrayers: CountPrayers): CategoryActions {
  const client = useQueryClient()
  return useMemo(() => {
    const list = categoriesOf(userId)
    const run = (what: Attempt, action: () => Promise<void>) => attempt(client, list.key, what, action)
    return {
      add: (id, name) => run('add category', () => addCategory(client, list, id, name)),
      update: (id, fields) => run('update category', () => editCategory(client, list, id, fields)),
      remove: (id) => run('delete category', () => removeCategory(client, list, countPrayers, id)),
      reorder: (ids) => run('reorder categories', () => orderCategories(client, list, ids)),
    }
  }, [client, userId, countPrayers])
}
