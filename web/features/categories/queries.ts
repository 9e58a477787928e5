import { useMemo } from 'react'
import { useProblem, type Problem } from '#web/lib/lists/problem.ts'
import { useList, type ListInView } from '#web/lib/lists/use-list.ts'
import { categoriesOf } from './categories-list.ts'
import type { Category } from './category.ts'

export type CategoriesInView = ListInView<Category> & { problem: Problem | null }

/** A person's categories as they should see them, in their order. */
export function useCategories(userId: string | null): CategoriesInView {
  const definition = useMemo(() => categoriesOf(userId), [userId])
  const list = useList(definition)
  return { ...list, problem: useProblem(definition.key, list, 'fetch categories') }
}
