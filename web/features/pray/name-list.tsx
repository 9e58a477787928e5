import { memo, useEffect, useId, useRef, useState } from 'react'
import { plainMark } from '#web/data/encryption-status.ts'
import { useUpdatesOf } from '#web/data/prayer-updates.ts'
import { isLastPrayedOn, type Prayer } from '#web/data/prayers.ts'
import { PrayerLink } from '#web/features/prayer-parts/prayer-link.tsx'
import type { Day } from '#web/lib/days/days.ts'
import { shortName } from '#web/lib/short-name.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Collapse, type PresentRow, useRowPresence } from '#web/ui/row-presence.tsx'
import { TickCircle } from '#web/ui/tick-circle.tsx'
import { useNearViewport } from '#web/ui/viewport.ts'
import { requestText, whyText } from './today-page.ts'

interface RowContext {
  /** Whether the prayers are planned for today. */
  isPlanned: boolean
  day: Day
  /** Records that a prayer was prayed today, or takes it back. */
  onToggle: (prayer: Prayer) => void
}

interface NameListProps extends RowContext {
  title: string
  prayers: readonly Prayer[]
  complete: boolean
}

/** How many rows are rendered together when they come near the visible area. */
const CHUNK_SIZE = 25

const keyOf = (prayer: Prayer) => prayer.id

/** A part of today's page; nothing if it is empty. */
export function NameList({ title, prayers, complete, ...context }: NameListProps) {
  const headingId = useId()
  const { rows, forget } = useRowPresence(prayers, keyOf, complete)
  if (rows.length === 0) return null
  const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK_SIZE) }, (_, index) => ({
    index,
    rows: rows.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  }))
  return (
    <section aria-labelledby={headingId} className="today-names">
      <h2 id={headingId} className="border-b border-line pb-1 text-lg sm:text-xl">
        {title}
      </h2>
      <ul aria-labelledby={headingId} className="pt-1">
        {chunks.map(({ index, rows: shown }) => (
          <Chunk key={index} rows={shown} onClosed={forget} {...context} />
        ))}
      </ul>
    </section>
  )
}

interface ChunkProps extends RowContext {
  rows: readonly PresentRow<Prayer>[]
  onClosed: (key: string) => void
}

/** Some rows of a list. Far from the visible area there is a placeholder of about their height. */
function Chunk({ rows, onClosed, ...context }: ChunkProps) {
  const ref = useRef<HTMLLIElement>(null)
  const isRendered = useNearViewport(ref)
  if (!isRendered)
    return (
      <li ref={ref} aria-hidden="true" style={{ height: `calc(${rows.length} * var(--today-row-height))` }} />
    )
  return rows.map(({ key, item, leaving, entering }) => (
    <li key={key}>
      <Collapse open={!leaving} appear={entering} onClosed={() => onClosed(key)}>
        <NameRow prayer={item} {...context} />
      </Collapse>
    </li>
  ))
}

/** A name, which opens the page of the prayer, with its circle, why it is here, and a line of what to pray for. */
const NameRow = memo(function NameRow({ prayer, isPlanned, day, onToggle }: RowContext & { prayer: Prayer }) {
  const { person_name: name } = prayer
  const prayed = isLastPrayedOn(prayer, day)
  const updates = useUpdatesOf(prayer.id)
  const request = requestText(prayer, updates)
  const marks = [whyText(prayer, isPlanned, day), plainMark(prayer, ...updates)].filter(
    (text) => text !== null,
  )
  return (
    <div className="today-row" data-prayed={prayed || undefined}>
      <IconButton
        label={`Mark ${shortName(name)} as prayed`}
        aria-pressed={prayed}
        className="group rounded-full!"
        onClick={() => onToggle(prayer)}
      >
        <TickCircle checked={prayed} className={!prayed && 'group-hover:border-gold-bright'} />
      </IconButton>
      <PrayerLink prayerId={prayer.id} className="today-name">
        {/* Beside the circle, in whichever direction it is written. */}
        <bdi className="line-clamp-2 w-fit wrap-anywhere">{name}</bdi>
      </PrayerLink>
      <p className="today-why">{marks.join(' · ')}</p>
      {request !== null && (
        <p dir="auto" className="today-request">
          {request}
        </p>
      )}
    </div>
  )
})

/** How long after rows have moved a press may still be meant for what was there before, in milliseconds. */
const MISPLACED_MS = 800

/**
 * Whether rows have just moved, because others have left or come before them: until they have settled, they ignore presses.
 *
 * @param ids of the rows in their order; the same object while they stay the same
 */
export function useJustMoved(ids: readonly string[]): boolean {
  const [settled, setSettled] = useState(ids)
  const hasMoved = settled.some((id, index) => ids[index] !== id)
  // Rows that are added at the end move no others.
  if (!hasMoved && settled.length < ids.length) setSettled(ids)
  useEffect(() => {
    if (!hasMoved) return undefined
    const timer = setTimeout(() => setSettled(ids), MISPLACED_MS)
    return () => clearTimeout(timer)
  }, [ids, hasMoved])
  return hasMoved
}
