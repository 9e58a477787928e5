import type { QueryClient } from '@tanstack/react-query'
import type { ListDefinition } from '#web/lib/lists/kept-list.ts'
import { listQuery } from '#web/lib/lists/list-query.ts'
import { signedIn } from '#web/lib/lists/signed-in.ts'
import { whenSettled } from '#web/lib/lists/when-settled.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import { applyPrayerChange, type PrayerChange } from './prayer-change.ts'
import { fetchPrayersPage } from './prayer-requests.ts'
import type { Prayer } from './prayer.ts'

export type PrayersDefinition = ListDefinition<Prayer, PrayerChange> & { userId: string | null }

/** The list of a person's prayers, newest first. */
export function prayersOf(userId: string | null): PrayersDefinition {
  return {
    userId,
    key: ['prayers', userId],
    fetchPage: async (after) => fetchPrayersPage(signedIn(userId), after),
    pageSize: PAGE_SIZE,
    apply: applyPrayerChange,
  }
}

/**
 * How many prayers a category holds, resolved ones included. Fetches the prayers first if they are not all here, and
 * waits for changes under way: a prayer that is just being deleted may still be there.
 */
export async function countPrayers(
  client: QueryClient,
  list: PrayersDefinition,
  categoryId: string,
): Promise<number> {
  await whenSettled(client, list.key)
  const { rows } = await client.query(listQuery(list))
  return rows.reduce((count, prayer) => count + (prayer.category_id === categoryId ? 1 : 0), 0)
}
