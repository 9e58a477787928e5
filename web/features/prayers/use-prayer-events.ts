import { useMemo } from 'react'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { announcedName } from './announced-name.ts'
import type { Prayer, PrayerActions } from '#web/data/prayers.ts'

/** What resolving and deleting do and say. Stays the same, so that rows need not be drawn again. */
export function usePrayerEvents({ update, remove }: PrayerActions) {
  const announce = useAnnounce()
  return useMemo(
    () => ({
      resolve: (prayer: Prayer, resolved: boolean) => {
        const said = `${announcedName(prayer.person_name)} ${resolved ? 'marked as resolved' : 'marked as unresolved'}`
        const withdraw = announce(said, { undo: () => void update(prayer.id, { resolved: !resolved }) })
        void update(prayer.id, { resolved }).then((result) => result.success || withdraw())
      },
      remove: async (prayer: Prayer) => {
        const result = await remove(prayer.id)
        if (result.success) announce('Prayer deleted')
      },
    }),
    [update, remove, announce],
  )
}
