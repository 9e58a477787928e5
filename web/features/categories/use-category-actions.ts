import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Attempt } from '#web/lib/error-text.ts'
import { attempt, type ActionResult } from '#web/lib/lists/attempt.ts'
import { categoriesOf } from './categories-list.ts'
import {
  addCategory,
  editCategory,
  orderCategories,
  removeCategory,
  type CountPrayers,
} from './category-actions.ts'
import type { CategoryFields } from './category.ts'

export type CategoryActions = {
  add: (id: string, name: string) => Promise<ActionResult>
  /** Sends the given fields only. */
  update: (id: string, fields: Partial<CategoryFields>) => Promise<ActionResult>
  remove: (id: string) => Promise<ActionResult>
  /** Takes the ids of all categories in their new order. */
  reorder: (ids: readonly string[]) => Promise<ActionResult>
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
