import { useMemo } from 'react'
import { EmptyPrayers } from './empty-prayers.tsx'
import { PrayerList, type PrayerListProps } from './prayer-list.tsx'
import { prayersInView } from './resolved-in-view.ts'
import { useEmptied } from './use-emptied.ts'
import { useJustResolved } from './use-just-resolved.ts'

interface CategoryPrayersProps extends Omit<PrayerListProps, 'justResolved'> {
  resolvedShown: boolean
}

/** The rows of a card, or why there are none. */
export function CategoryPrayers({ prayers, complete, resolvedShown, ...list }: CategoryPrayersProps) {
  const justResolved = useJustResolved(prayers)
  const inView = useMemo(
    () => prayersInView(prayers, { shown: resolvedShown, justResolved }),
    [prayers, resolvedShown, justResolved],
  )
  const emptied = useEmptied(inView.length === 0)
  if (!emptied)
    return <PrayerList prayers={inView} complete={complete} justResolved={justResolved} {...list} />
  if (prayers.length > 0)
    return <EmptyPrayers title="All of these prayers are resolved" text="They are kept here, out of sight" />
  if (!complete) return <p className="px-2 py-4 text-sm text-ink-soft">Loading prayers...</p>
  return <EmptyPrayers title="No prayers yet" text="Add your first prayer and start making a difference" />
}
