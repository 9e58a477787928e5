import { useMemo } from 'react'
import { CategoryCard } from './category-card.tsx'
import type { Prayer } from '#web/data/prayers.ts'
import type { PrayerCategory } from './prayer-category.ts'
import type { PrayerRowEvents } from './prayer-row.tsx'
import { groupByCategory } from './prayers-by-category.ts'

interface CategoryGridProps extends PrayerRowEvents {
  categories: readonly PrayerCategory[]
  prayers: readonly Prayer[]
  complete: boolean
  onAdd: (category: PrayerCategory) => void
}

/** Cards that may be in view on opening, and the rows that each of them draws at once. */
const FIRST_CARDS = 4
const FIRST_ROWS = 20

/** With more prayers than this, rows out of sight are light. */
const MANY = 150

const NO_PRAYERS: readonly Prayer[] = []

/** One card per category, in their order. */
export function CategoryGrid({ categories, prayers, complete, ...events }: CategoryGridProps) {
  const groups = useMemo(() => groupByCategory(prayers), [prayers])
  return (
    <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-2">
      {categories.map((category, index) => (
        <CategoryCard
          key={category.id}
          category={category}
          prayers={groups.get(category.id) ?? NO_PRAYERS}
          complete={complete}
          firstRows={index < FIRST_CARDS ? FIRST_ROWS : 0}
          sparing={prayers.length > MANY}
          {...events}
        />
      ))}
    </div>
  )
}
