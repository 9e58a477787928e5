import { useMemo, useRef } from 'react'
import type { ActionResult } from '#web/data/make-change.ts'
import type { PrayerActions } from '#web/data/prayer-actions.ts'
import type { Prayer, PrayerFields } from '#web/data/prayers.ts'
import { answerToRecord } from '#web/lib/navigation/navigation-state.ts'
import { prayerPath } from '#web/lib/navigation/routes.ts'
import { shortName } from '#web/lib/short-name.ts'
import { type MadeAnnouncement, useAnnounce, useWithdrawOnError } from '#web/ui/announcements.tsx'

/** Prayers that were resolved or reopened in quick succession, as they were before: they are undone together. */
interface Toggles {
  before: ReadonlyMap<string, Prayer>
  announcement: MadeAnnouncement
}

/**
 * Resolves and deletes prayers, and announces it. The functions stay the same while the actions do.
 *
 * @param error why the last change could not be saved; null if it could
 */
export function usePrayerEvents({ change, restore, remove }: PrayerActions, error: string | null) {
  const announce = useAnnounce()
  const toggles = useRef<Toggles | null>(null)
  useWithdrawOnError(error)

  return useMemo(
    () => ({
      /** @param fields what else is changed, which is not undone */
      resolve: async (
        prayer: Prayer,
        resolved: boolean,
        fields: Partial<PrayerFields> = {},
      ): Promise<ActionResult> => {
        const earlier = toggles.current?.announcement.isShown() ? toggles.current.before : []
        const before = new Map(earlier)
        if (before.get(prayer.id)?.resolved === resolved) before.delete(prayer.id)
        else if (!before.has(prayer.id)) before.set(prayer.id, prayer)
        const undo = () => {
          for (const each of before.values()) void restore(each)
        }
        const isOnlyOne = before.size === (before.has(prayer.id) ? 1 : 0)
        const message = isOnlyOne
          ? `${shortName(prayer.person_name)}: ${resolved ? 'answered' : 'reopened'}`
          : toggledCounts([...before.values()])
        // With several prayers, it would not be clear whose answer is meant.
        const more =
          isOnlyOne && resolved
            ? {
                label: 'Record answer',
                run: () => answerToRecord.set({ prayerId: prayer.id, announceAgain: tell }),
              }
            : undefined
        const tell = () => {
          const announcement = announce(message, before.size > 0 ? { undo, more } : { more })
          toggles.current = { before, announcement }
          return announcement
        }
        const announcement = tell()
        const result = await change(prayer, { ...fields, resolved })
        if (!result.success) announcement.withdraw()
        return result
      },
      remove: async (prayer: Prayer) => {
        const result = await remove(prayer)
        // It may have been deleted from its own page.
        if (result.success) announce('Prayer deleted', { leaving: prayerPath(prayer.id) })
      },
    }),
    [change, restore, remove, announce],
  )
}

/** @param before prayers as they were before they were resolved or reopened */
function toggledCounts(before: readonly Prayer[]): string {
  const reopened = before.filter(({ resolved }) => resolved).length
  const resolved = before.length - reopened
  if (reopened === 0) return `${resolved} answered`
  return resolved === 0 ? `${reopened} reopened` : `${resolved} answered, ${reopened} reopened`
}
