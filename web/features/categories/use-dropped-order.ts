import { useMemo, useState } from 'react'
import { inOrder } from './category-order.ts'
import type { Category } from '#web/data/categories.ts'

/**
 * The categories in the order in which they were dropped, from the very frame of the drop until the list itself changes:
 * otherwise the row would jump back for an instant. From then on the list is right, also when the order was refused.
 */
export function useDroppedOrder(categories: readonly Category[]) {
  const [drop, setDrop] = useState<{ from: readonly Category[]; ids: readonly string[] } | null>(null)
  if (drop && drop.from !== categories) setDrop(null)

  const shown = useMemo(() => {
    if (drop?.from !== categories) return categories
    return inOrder(categories, drop.ids)
  }, [categories, drop])

  return { categories: shown, dropped: (ids: readonly string[]) => setDrop({ from: categories, ids }) }
}
