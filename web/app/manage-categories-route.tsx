import { useMemo } from 'react'
import { useCategories, useCategoryActions } from '#web/data/categories.ts'
import { countByCategory, useCountPrayers, usePrayers } from '#web/data/prayers.ts'
import { ManageCategoriesScreen } from '#web/features/categories/manage-categories-screen.tsx'

/** Category management, with the number of prayers in each category. */
export function ManageCategoriesRoute() {
  const { rows, complete, refetch, error } = usePrayers()
  const count = useCountPrayers()
  const categories = useCategories()
  const actions = useCategoryActions()
  const counts = useMemo(() => (rows && complete ? countByCategory(rows) : null), [rows, complete])
  return (
    <ManageCategoriesScreen
      categories={categories}
      actions={actions}
      prayers={{ counts, count, refetch, error }}
    />
  )
}
