import { useMemo } from 'react'
import { useCategories } from '#web/features/categories/queries.ts'
import { DashboardScreen } from '#web/features/prayers/dashboard-screen.tsx'
import { usePrayerActions, usePrayers } from '#web/features/prayers/queries.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { useUser } from '#web/lib/session.ts'

/** The dashboard, told of the categories that its prayers stand under. */
export function DashboardRoute() {
  const { id } = useUser()
  const prayers = usePrayers(id)
  const actions = usePrayerActions(id)
  const categories = useCategories(id)
  const { rows } = categories
  const visible = useMemo(() => rows && rows.filter((category) => category.is_visible), [rows])
  const hiddenCount = rows && visible ? rows.length - visible.length : 0
  return (
    <DashboardScreen
      productName={PRODUCT_NAME}
      prayers={prayers}
      actions={actions}
      categories={{ ...categories, visible, hiddenCount }}
    />
  )
}
