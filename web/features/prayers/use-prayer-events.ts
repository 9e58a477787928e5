import { useMemo } from 'react'
import type { Prayer, PrayerActions } from '#web/data/prayers.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'

const MAX_NAME_LENGTH = 60

/** Resolves and deletes prayers, and announces it. The functions stay the same while the actions do. */
export function usePrayerEvents({ update, remove }: PrayerActions) {
  const announce = useAnnounce()
  return useMemo(
    () => ({
      resolve: (prayer: Prayer, resolved: boolean) => {
        const message = `${shortName(prayer)} ${resolved ? 'marked as resolved' : 'marked as unresolved'}`
        const withdraw = announce(message, { undo: () => void update(prayer, { resolved: !resolved }) })
        void update(prayer, { resolved }).then((result) => result.success || withdraw())
      },
      remove: async (prayer: Prayer) => {
        const result = await remove(prayer)
        if (result.success) announce('Prayer deleted')
      },
    }),
    [update, remove, announce],
  )
}

/** A prayer's name for announcements and titles, shortened if it is very long. */
export function shortName({ person_name }: Pick<Prayer, 'person_name'>): string {
  if (person_name.length <= MAX_NAME_LENGTH) return person_name
  return `${person_name.slice(0, MAX_NAME_LENGTH - 1).trimEnd()}…`
}
