import type { Prayer } from '#web/data/prayers.ts'

/** Whether resolved prayers show, and those that were resolved just now and still have their moment. */
export type ResolvedInView = { shown: boolean; justResolved: ReadonlySet<string> }

/** The prayers to show: open ones always, resolved ones when asked for or while they have their moment. */
export function prayersInView(
  prayers: readonly Prayer[],
  { shown, justResolved }: ResolvedInView,
): readonly Prayer[] {
  if (shown) return prayers
  return prayers.filter((prayer) => !prayer.resolved || justResolved.has(prayer.id))
}

export function countResolved(prayers: readonly Prayer[]): number {
  return prayers.reduce((count, prayer) => count + (prayer.resolved ? 1 : 0), 0)
}
