import type { Prayer } from '#web/data/prayers.ts'

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
