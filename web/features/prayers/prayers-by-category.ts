import type { Prayer } from './prayer.ts'

/** The prayers of each category, in the order of the list. Categories without prayers are not in it. */
export function groupByCategory(prayers: readonly Prayer[]): ReadonlyMap<string, readonly Prayer[]> {
  const groups = new Map<string, Prayer[]>()
  for (const prayer of prayers) {
    const group = groups.get(prayer.category_id)
    if (group) group.push(prayer)
    else groups.set(prayer.category_id, [prayer])
  }
  return groups
}

/** How many prayers each category holds, resolved ones included. */
export function countByCategory(prayers: readonly Prayer[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { category_id } of prayers) counts.set(category_id, (counts.get(category_id) ?? 0) + 1)
  return counts
}
