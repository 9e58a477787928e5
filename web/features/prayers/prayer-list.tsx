import type { Prayer } from '#web/data/prayers.ts'
import { Collapse, useRowPresence } from '#web/ui/row-presence.tsx'
import { PrayerRow, type PrayerRowEvents } from './prayer-row.tsx'

export interface PrayerListProps extends PrayerRowEvents {
  prayers: readonly Prayer[]
  /** Whether the list has been received in full: rows of a list that is still loading appear without animation. */
  complete: boolean
  justResolved: ReadonlySet<string>
  /** Id of the card's heading. */
  labelledBy: string
}

const keyOf = (prayer: Prayer) => prayer.id

/** The rows of a card. They appear and disappear with a transition. */
export function PrayerList({ prayers, complete, justResolved, labelledBy, ...events }: PrayerListProps) {
  const { rows, forget } = useRowPresence(prayers, keyOf, complete)
  return (
    <ul aria-labelledby={labelledBy}>
      {rows.map((row) => (
        <li key={row.key} data-prayer={row.leaving ? undefined : row.key}>
          <Collapse open={!row.leaving} appear={row.entering} onClosed={() => forget(row.key)}>
            <PrayerRow prayer={row.item} justResolved={justResolved.has(row.key)} {...events} />
          </Collapse>
        </li>
      ))}
    </ul>
  )
}

/**
 * Focuses the first button of a prayer's row; if the row is not shown, the heading of the screen.
 *
 * @param options as for `HTMLElement.focus`
 */
export function focusPrayer({ id }: Prayer, options?: FocusOptions): void {
  const row = document.querySelector(`[data-prayer="${id}"]`)
  const target = row?.querySelector<HTMLElement>('button') ?? document.querySelector<HTMLElement>('h1')
  target?.focus(options)
}
