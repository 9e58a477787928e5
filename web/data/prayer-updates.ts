import { type InferOutput, nullish, number, object, string } from 'valibot'
import type { Sync } from '#web/sync/open-sync.ts'
import { describedBy, type RowOf, type Same } from '#web/sync/schema.ts'
import { newestFirst } from './order.ts'
import { keptAsUpdate, withoutHeading } from './prayers.ts'
import { type ListState, useRows, useSync } from './rows.ts'
import type { TableDefinition } from './table-definition.ts'

export const prayerUpdateSchema = object({
  id: string(),
  user_id: string(),
  prayer_id: string(),
  body: string(),
  created_at: string(),
  updated_at: string(),
  rev: number(),
  answered_on: nullish(string(), null),
})

/** A dated note on a prayer, deleted with it. */
export type PrayerUpdate = Same<RowOf<'prayer_updates'>, InferOutput<typeof prayerUpdateSchema>>

const NO_UPDATES: readonly PrayerUpdate[] = []

export const PRAYER_UPDATES: TableDefinition<'prayer_updates'> = {
  ...describedBy(prayerUpdateSchema),
  name: 'prayer_updates',
  rowName: 'Update',
  operations: {
    fetch: 'fetch updates',
    insert: 'add update',
    update: 'change update',
    delete: 'delete update',
  },
  isReadLater: true,
  compare: newestFirst,
  order: [
    { column: 'created_at', descending: true },
    { column: 'id', descending: true },
  ],
  typed: ['body'],
  texts: ['body'],
  computed: ['updated_at'],
  conflictCopy: keptAsUpdate,
  keptText: withoutHeading,
  reference: { column: 'prayer_id', table: 'prayers', cascades: true, rowName: 'prayer' },
  calls: {},
}

/** The updates of all prayers, newest first. */
export function usePrayerUpdates(): ListState<PrayerUpdate> {
  return useRows('prayer_updates')
}

/** When the newest update of a prayer was added, as ISO 8601 text; null if it has none. */
export function useNewestUpdate(prayerId: string): string | null {
  return useSync((sync) => updatesIn(sync, prayerId)[0]?.created_at ?? null, null)
}

/** The updates of a prayer, newest first. */
export function useUpdatesOf(prayerId: string): readonly PrayerUpdate[] {
  return useSync((sync) => updatesIn(sync, prayerId), NO_UPDATES)
}

/** The updates of a prayer as they show, newest first. */
export function updatesIn(sync: Sync, prayerId: string): readonly PrayerUpdate[] {
  return updatesByPrayer(sync.rows('prayer_updates')).get(prayerId) ?? NO_UPDATES
}

/** Every row of the dashboard reads this: the result is kept for as long as the list is the same. */
const updatesByPrayerOf = new WeakMap<readonly PrayerUpdate[], ReadonlyMap<string, readonly PrayerUpdate[]>>()

/** The updates of each prayer that has any, in their order, by the id of the prayer. */
export function updatesByPrayer(
  updates: readonly PrayerUpdate[],
): ReadonlyMap<string, readonly PrayerUpdate[]> {
  const known = updatesByPrayerOf.get(updates)
  if (known) return known
  const byPrayer = new Map<string, PrayerUpdate[]>()
  for (const update of updates) {
    const others = byPrayer.get(update.prayer_id)
    if (others) others.push(update)
    else byPrayer.set(update.prayer_id, [update])
  }
  updatesByPrayerOf.set(updates, byPrayer)
  return byPrayer
}
