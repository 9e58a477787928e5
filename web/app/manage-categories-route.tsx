import { useMemo } from 'react'
import { ManageCategoriesScreen } from '#web/features/categories/manage-categories-screen.tsx'
import { useCategories } from '#web/features/categories/queries.ts'
import { useCategoryActions } from '#web/features/categories/use-category-actions.ts'
import { countByCategory } from '#web/features/prayers/prayers-by-category.ts'
import { usePrayerActions, usePrayers } from '#web/features/prayers/queries.ts'
import { useUser } from '#web/lib/session.ts'

/** Category management, told how many prayers each category holds. */
export function ManageCategoriesRoute() {
  const { id } = useUser()
  const { rows, complete, refetch, problem } = usePrayers(id)
  const { count } = usePrayerActions(id)
  const categories = useCategories(id)
  const actions = useCategoryActions(id, count)
  const counts = useMemo(() => (rows && complete ? countByCategory(rows) : null), [rows, complete])
  return (
    <ManageCategoriesScreen
      categories={categories}
      actions={actions}
      prayers={{ counts, count, refetch, problem }}
    />
  )
}
