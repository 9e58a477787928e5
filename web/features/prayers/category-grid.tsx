import { memo, useMemo, useState } from 'react'
import type { NamedCategory } from '#web/data/categories.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { useToday } from '#web/lib/days/days.ts'
import { usePrinting } from '#web/ui/viewport.ts'
import { ROWS_PER_CARD } from './card-view.ts'
import { CategoryCard, type CategoryCardEvents } from './category-card.tsx'

interface CategoryGridProps extends CategoryCardEvents {
  categories: readonly NamedCategory[]
  prayers: readonly Prayer[]
  complete: boolean
}

const NO_PRAYERS: readonly Prayer[] = []

/** One card per category, in their order: they fill the left column first, then the right one. */
export const CategoryGrid = memo(function CategoryGrid(props: CategoryGridProps) {
  const { categories, prayers, complete, ...events } = props
  const groups = useMemo(() => groupByCategory(prayers), [prayers])
  const printing = usePrinting()
  const today = useToday()
  const leftCount = useLeftCount(categories, groups, complete)
  const columns = [categories.slice(0, leftCount), categories.slice(leftCount)].filter(
    ({ length }) => length > 0,
  )
  return (
    <div className="category-grid">
      <div>
        {columns.map((column, index) => (
          <div key={index === 0 ? 'left' : 'right'}>
            {column.map((category) => (
              <CategoryCard
                key={category.id}
                category={category}
                prayers={groups.get(category.id) ?? NO_PRAYERS}
                today={today}
                complete={complete}
                printing={printing}
                {...events}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
})

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

/**
 * How many cards the left column has. It stays the same while prayers come and go, so that no card changes its column
 * under the user's eyes.
 */
function useLeftCount(
  categories: readonly NamedCategory[],
  groups: ReadonlyMap<string, readonly Prayer[]>,
  complete: boolean,
): number {
  const key = `${complete} ${categories.map(({ id }) => id).join()}`
  const [columns, setColumns] = useState<{ key: string; leftCount: number } | null>(null)
  if (columns?.key === key) return columns.leftCount
  const leftCount = balancedCount(categories.map(({ id }) => estimatedHeight(groups.get(id) ?? NO_PRAYERS)))
  setColumns({ key, leftCount })
  return leftCount
}

/** In units of about one row. */
function estimatedHeight(prayers: readonly Prayer[]): number {
  const open = prayers.filter(({ resolved }) => !resolved).length
  return 2 + Math.max(Math.min(open, ROWS_PER_CARD), 1.5) + (open < prayers.length ? 1 : 0)
}

/** The number of first items with which both parts are as equally high as possible. */
export function balancedCount(heights: readonly number[]): number {
  const total = heights.reduce((sum, height) => sum + height, 0)
  let best = { count: 0, higher: Infinity }
  let left = 0
  for (const [index, height] of heights.entries()) {
    left += height
    const higher = Math.max(left, total - left)
    if (higher < best.higher) best = { count: index + 1, higher }
  }
  return best.count
}
