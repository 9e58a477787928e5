import type { Prayer } from '#web/data/prayers.ts'

/** The ids of the prayers that were open before and are resolved now. */
export function newlyResolved(before: readonly Prayer[], now: readonly Prayer[]): readonly string[] {
  const wasOpen = new Set(before.filter((prayer) => !prayer.resolved).map((prayer) => prayer.id))
  return now.filter((prayer) => prayer.resolved && wasOpen.has(prayer.id)).map((prayer) => prayer.id)
}
