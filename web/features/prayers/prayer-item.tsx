import { useRef } from 'react'
import { Collapse } from '#web/ui/collapse.tsx'
import type { PresentRow } from '#web/ui/row-presence.ts'
import { PrayerRow, type PrayerRowEvents } from './prayer-row.tsx'
import { PrayerText, ROW } from './prayer-text.tsx'
import type { Prayer } from './prayer.ts'
import { useInSight } from './use-in-sight.ts'

interface PrayerItemProps extends PrayerRowEvents {
  row: PresentRow<Prayer>
  justResolved: boolean
  /** There are so many rows that those out of sight have to be light. */
  sparing: boolean
  /** Its way out is over. */
  onGone: () => void
}

/**
 * A row in its list. Out of sight, where there are many, it is its text alone: it can be found in the page and be read
 * out, and becomes whole before it comes into view, by scrolling as well as by keyboard.
 */
export function PrayerItem({ row, justResolved, sparing, onGone, ...events }: PrayerItemProps) {
  const ref = useRef<HTMLLIElement>(null)
  const inSight = useInSight(ref, sparing)
  const whole = inSight || row.entering || row.leaving
  return (
    <li
      ref={ref}
      data-prayer={row.leaving ? undefined : row.key}
      className={
        sparing ? '[contain-intrinsic-height:auto_--spacing(13)] [content-visibility:auto]' : undefined
      }
    >
      {whole ? (
        <Collapse open={!row.leaving} appear={row.entering} onClosed={onGone}>
          <PrayerRow prayer={row.item} justResolved={justResolved} {...events} />
        </Collapse>
      ) : (
        <div className={ROW}>
          <PrayerText prayer={row.item} />
        </div>
      )}
    </li>
  )
}
