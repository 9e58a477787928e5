interface Dated {
  id: string
  created_at: string
}

/** The order of lists; of two rows created at the same time, the one with the higher id comes first. */
export function newestFirst(a: Dated, b: Dated): number {
  const difference = compareTimes(b.created_at, a.created_at)
  if (difference !== 0 || a.id === b.id) return difference
  return a.id > b.id ? -1 : 1
}

/**
 * Orders ISO 8601 texts by time. Texts of the same form are compared as they are: that is faster, and exact to the
 * microsecond. So are texts that cannot be read as a time.
 */
export function compareTimes(a: string, b: string): number {
  const hasSameForm = a.length === b.length && a.endsWith('+00:00') && b.endsWith('+00:00')
  const difference = hasSameForm ? Number.NaN : Date.parse(a) - Date.parse(b)
  if (!Number.isNaN(difference)) return difference
  if (a === b) return 0
  return a < b ? -1 : 1
}
