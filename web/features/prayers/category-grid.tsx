import { useMemo } from 'react'
import type { Prayer } from '#web/data/prayers.ts'
import { usePrinting } from '#web/ui/viewport.ts'
import { type CardCategory, CategoryCard, type CategoryCardEvents } from './category-card.tsx'

interface CategoryGridProps extends CategoryCardEvents {
  categories: readonly CardCategory[]
  prayers: readonly Prayer[]
  complete: boolean
}

const NO_PRAYERS: readonly Prayer[] = []

/** One card per category, in their order. */
export function CategoryGrid({ categories, prayers, complete, ...events }: CategoryGridProps) {
  const groups = useMemo(() => groupByCategory(prayers), [prayers])
  const printing = usePrinting()
  return (
    <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-2">
      {categories.map((category) => (
        <CategoryCard
          key={category.id}
          category={category}
          prayers={groups.get(category.id) ?? NO_PRAYERS}
          complete={complete}
          printing={printing}
          {...events}
        />
      ))}
    </div>
  )
}

/** The prayers of each category, in the order of the list. Categories without prayers are left out. */
function groupByCategory(prayers: readonly Prayer[]): ReadonlyMap<string, readonly Prayer[]> {
  const groups = new Map<string, Prayer[]>()
  for (const prayer of prayers) {
    const group = groups.get(prayer.category_id)
    if (group) group.push(prayer)
    else groups.set(prayer.category_id, [prayer])
  }
  return groups
}
