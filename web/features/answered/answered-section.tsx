import { useId, useRef } from 'react'
import type { PrayerUpdate } from '#web/data/prayer-updates.ts'
import type { Prayer } from '#web/data/prayers.ts'
import type { Day } from '#web/lib/days/days.ts'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { LightIcon } from '#web/ui/line-icon.tsx'
import { Collapse, type PresentRow, useRowPresence } from '#web/ui/row-presence.tsx'
import { useNearViewport } from '#web/ui/viewport.ts'
import { AnsweredEntry, type AnsweredEntryEvents } from './answered-entry.tsx'
import type { AnsweredGroup } from './answered-list.ts'

export interface EntryContext extends AnsweredEntryEvents {
  /** The names of the categories by id. */
  categories: ReadonlyMap<string, string>
  /** By the id of the prayer, newest first. */
  updates: ReadonlyMap<string, readonly PrayerUpdate[]>
  printing: boolean
  /** Whether the list is rendered at once. */
  isShort: boolean
}

interface AnsweredSectionProps extends EntryContext {
  group: AnsweredGroup
  /** Whether all prayers have been received. */
  complete: boolean
  /** What was answered on this day of earlier years stands out. Null for a month. */
  anniversaryOf: Day | null
}

/** How many entries are rendered together when they come near the visible area. */
const CHUNK_SIZE = 15

const NO_UPDATES: readonly PrayerUpdate[] = []

const keyOf = (prayer: Prayer) => prayer.id

/** A month, or the anniversaries of a year. */
export function AnsweredSection({ group, complete, anniversaryOf, ...context }: AnsweredSectionProps) {
  const headingId = useId()
  const { rows, forget } = useRowPresence(group.prayers, keyOf, complete)
  const chunks = Array.from({ length: Math.ceil(rows.length / CHUNK_SIZE) }, (_, index) => ({
    index,
    rows: rows.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  }))
  const isAnniversary = anniversaryOf !== null
  return (
    <section
      aria-labelledby={headingId}
      className={classNames('flex flex-col gap-2 print:block', isAnniversary && 'print:hidden')}
    >
      <h2
        id={headingId}
        className={classNames(
          'flex items-center gap-2 text-xl print:break-after-avoid',
          isAnniversary && 'text-gold',
        )}
      >
        {isAnniversary && <LightIcon />}
        {group.title}
      </h2>
      <Card
        className={classNames(
          'answered-card divide-y divide-line print:rounded-none print:shadow-none',
          isAnniversary && 'border-gold-line',
        )}
      >
        {chunks.map(({ index, rows: shown }) => (
          <Chunk key={index} rows={shown} anniversaryOf={anniversaryOf} onClosed={forget} {...context} />
        ))}
      </Card>
    </section>
  )
}

interface ChunkProps extends EntryContext {
  rows: readonly PresentRow<Prayer>[]
  anniversaryOf: Day | null
  onClosed: (key: string) => void
}

/** Some entries of a section. Far from the visible area there is a placeholder of about their height. */
function Chunk({ rows, anniversaryOf, onClosed, categories, updates, isShort, ...props }: ChunkProps) {
  const ref = useRef<HTMLDivElement>(null)
  const isRendered = useNearViewport(ref) || props.printing || isShort
  if (!isRendered)
    return <div ref={ref} style={{ height: rows.reduce((sum, { item }) => sum + heightOf(item), 0) }} />
  return (
    <div ref={ref} className="divide-y divide-line">
      {rows.map(({ key, item, leaving, entering }) => (
        <Collapse key={key} open={!leaving} appear={entering} onClosed={() => onClosed(key)}>
          <AnsweredEntry
            prayer={item}
            category={categories.get(item.category_id)}
            updates={updates.get(key) ?? NO_UPDATES}
            // The heading of a month says the year.
            yearOf={anniversaryOf ?? item.answered_on ?? ''}
            {...props}
          />
        </Collapse>
      ))}
    </div>
  )
}

/** The height of an entry in pixels, roughly. */
function heightOf({ note, answer }: Prayer): number {
  const lines = (text: string | null, perLine: number) =>
    Math.ceil(Math.min(text?.length ?? 0, 480) / perLine)
  return 130 + lines(note, 70) * 26 + lines(answer, 60) * 30
}
