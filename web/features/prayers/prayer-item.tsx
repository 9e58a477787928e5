import { useRef } from 'react'
import { Collapse, type PresentRow } from '#web/ui/row-presence.tsx'
import { PrayerRow, type PrayerRowEvents } from './prayer-row.tsx'
import type { Prayer } from '#web/data/prayers.ts'
import { useSeen } from './use-seen.ts'

interface PrayerItemProps extends PrayerRowEvents {
  row: PresentRow<Prayer>
  justResolved: boolean
  /** There are so many rows that those out of sight have to be light. */
  sparing: boolean
  /** Its way out is over. */
  onGone: () => void
}

/** A row in its list. Where there are many, it is whole once it has just come, or was in sight or had the focus. */
export function PrayerItem({ row, justResolved, sparing, onGone, ...events }: PrayerItemProps) {
  const ref = useRef<HTMLLIElement>(null)
  const seen = useSeen(ref, sparing)
  return (
    <li
      ref={ref}
      data-prayer={row.leaving ? undefined : row.key}
      className={
        sparing ? '[contain-intrinsic-height:auto_--spacing(13)] [content-visibility:auto]' : undefined
      }
    >
      <Collapse open={!row.leaving} appear={row.entering} onClosed={onGone}>
        <PrayerRow prayer={row.item} whole={seen || row.entering} justResolved={justResolved} {...events} />
      </Collapse>
    </li>
  )
}
