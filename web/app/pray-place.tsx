import { usePrayerActions, usePrayers } from '#web/data/prayers.ts'
import { PrayScreen } from '#web/features/pray/pray-screen.tsx'
import { usePrayerEvents } from '#web/features/prayers/use-prayer-events.ts'

/** Prayer sessions, in which prayers are resolved as on the dashboard. */
export function PrayPlace() {
  const { error } = usePrayers()
  const { resolve } = usePrayerEvents(usePrayerActions(), error?.message ?? null, 'answered')
  return <PrayScreen onResolve={resolve} />
}
