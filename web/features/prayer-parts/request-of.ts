import { compareTimes } from '#web/data/order.ts'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import { type Prayer, withoutHeading } from '#web/data/prayers.ts'

/**
 * What to pray for: the newest update if it is newer than the note, or else the note. A former answer is not a request. Empty if
 * there is neither.
 *
 * @param updates newest first
 */
export function requestOf(
  {
    note,
    note_changed_at: changed,
    created_at: added,
  }: Pick<Prayer, 'note' | 'note_changed_at' | 'created_at'>,
  updates: readonly Pick<PrayerUpdate, 'body' | 'answered_on' | 'created_at'>[],
): string {
  const newest = updates.find((update) => update.answered_on === null)
  const own = (note ?? '').trim()
  const isNewer = newest && (own === '' || compareTimes(newest.created_at, changed ?? added) > 0)
  return isNewer ? withoutHeading(newest.body).trim() : own
}
