import { useMemo } from 'react'
import { useCategories } from '#web/data/categories.ts'
import { usePrayerActions, usePrayers } from '#web/data/prayers.ts'
import { DashboardScreen } from '#web/features/prayers/dashboard-screen.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'

/** The dashboard, with the user's prayers and categories. */
export function DashboardRoute() {
  const prayers = usePrayers()
  const actions = usePrayerActions()
  const categories = useCategories()
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
