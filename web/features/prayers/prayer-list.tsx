import { type CSSProperties, useRef } from 'react'
import { useRowPresence } from '#web/ui/row-presence.tsx'
import { PrayerItem } from './prayer-item.tsx'
import type { PrayerRowEvents } from './prayer-row.tsx'
import type { Prayer } from '#web/data/prayers.ts'
import { useFocusFromLeaving } from './use-focus-from-leaving.ts'
import { useGrowingLimit } from './use-growing-limit.ts'

export interface PrayerListProps extends PrayerRowEvents {
  prayers: readonly Prayer[]
  /** Whether all prayers are here: rows of a list that is still arriving don't move into place. */
  complete: boolean
  justResolved: ReadonlySet<string>
  /** Id of the heading it belongs to. */
  labelledBy: string
  /** Rows to draw at once; the others follow when there is time. */
  firstRows: number
  /** There are so many prayers, in all cards together, that rows out of sight have to be light. */
  sparing: boolean
}

const keyOf = (prayer: Prayer) => prayer.id

/** The prayers of a card. Rows come and go in view, and keep their place. */
export function PrayerList(props: PrayerListProps) {
  const { prayers, complete, justResolved, labelledBy, firstRows, sparing, ...events } = props
  const listRef = useRef<HTMLUListElement>(null)
  const { rows, forget } = useRowPresence(prayers, keyOf, complete)
  const limit = useGrowingLimit(rows.length, firstRows)
  useFocusFromLeaving(listRef, rows)
  return (
    <ul ref={listRef} aria-labelledby={labelledBy}>
      {rows.slice(0, limit).map((row) => (
        <PrayerItem
          key={row.key}
          row={row}
          justResolved={justResolved.has(row.key)}
          sparing={sparing}
          onGone={() => forget(row.key)}
          {...events}
        />
      ))}
      {rows.length > limit && <RoomForRows count={rows.length - limit} />}
    </ul>
  )
}

/** Keeps the room of rows that are not drawn yet, so that nothing below them moves when they are. */
function RoomForRows({ count }: { count: number }) {
  const style: CSSProperties & Record<'--rows', number> = { '--rows': count }
  return <li aria-hidden="true" style={style} className="h-[calc(var(--rows)*--spacing(13))]" />
}
