import { useEffect, useState } from 'react'
import type { Prayer } from '#web/data/prayers.ts'
import type { Day } from '#web/lib/days/days.ts'
import { Collapse, useRowPresence } from '#web/ui/row-presence.tsx'
import { PrayerRow, type PrayerRowEvents } from './prayer-row.tsx'

export interface PrayerListProps extends PrayerRowEvents {
  prayers: readonly Prayer[]
  today: Day
  /** Whether the list has been received in full: rows of a list that is still loading appear without animation. */
  complete: boolean
  justResolved: ReadonlySet<string>
  printing: boolean
}

interface LabelProps {
  'aria-label'?: string
  'aria-labelledby'?: string
}

const keyOf = (prayer: Prayer) => prayer.id

/** The rows of a card. They appear and disappear with a transition. */
export function PrayerList(props: PrayerListProps & LabelProps) {
  const { prayers, today, complete, justResolved, printing, onResolve, onEdit, onDelete, ...label } = props
  const { rows, forget } = useRowPresence(prayers, keyOf, complete)
  const movedFrom = useMovedFrom(rows.findIndex((row) => row.leaving))
  return (
    <ul {...label}>
      {rows.map((row, index) => (
        <li
          key={row.key}
          data-prayer={row.leaving ? undefined : row.key}
          style={index >= movedFrom ? { pointerEvents: 'none' } : undefined}
        >
          <Collapse open={!row.leaving} appear={row.entering} onClosed={() => forget(row.key)}>
            <PrayerRow
              prayer={row.item}
              today={today}
              justResolved={row.item.resolved && justResolved.has(row.key)}
              printing={printing}
              onResolve={onResolve}
              onEdit={onEdit}
              onDelete={onDelete}
            />
          </Collapse>
        </li>
      ))}
    </ul>
  )
}

/** How long after a row has left a press may still be meant for it, in milliseconds. */
const MISPLACED_MS = 500

/**
 * A row that leaves makes the rows below it move up, under the user's finger: they ignore presses for a moment.
 *
 * @param firstLeaving position of the first row that is leaving; -1 if none is
 * @returns position of the first row that ignores presses; Infinity if none does
 */
function useMovedFrom(firstLeaving: number): number {
  const [movedFrom, setMovedFrom] = useState(Infinity)
  if (firstLeaving >= 0 && firstLeaving < movedFrom) setMovedFrom(firstLeaving)

  const hasSettled = firstLeaving < 0 && movedFrom < Infinity
  useEffect(() => {
    if (!hasSettled) return undefined
    const timer = setTimeout(() => setMovedFrom(Infinity), MISPLACED_MS)
    return () => clearTimeout(timer)
  }, [hasSettled])

  return movedFrom
}

/** The first button of a prayer's row; null if the row is not shown. */
export function findPrayer({ id }: Prayer): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-prayer="${id}"] button`)
}
