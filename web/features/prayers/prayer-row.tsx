import { memo, type MouseEvent } from 'react'
import { plainMark } from '#web/data/encryption-status.ts'
import { useNewestUpdate } from '#web/data/prayer-updates.ts'
import { dueToday, planTexts } from '#web/data/plan.ts'
import { pausedUntil, type Prayer } from '#web/data/prayers.ts'
import { dateText } from '#web/lib/days/day-text.ts'
import { type Day, localDay } from '#web/lib/days/days.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PencilIcon, RibbonIcon, TrashIcon } from '#web/ui/icons.tsx'
import { LightIcon } from '#web/ui/line-icon.tsx'
import { Note } from './note.tsx'
import { openPrayer, PrayerLink } from '#web/features/prayer-parts/prayer-link.tsx'
import './prayer-row.css'

export interface PrayerRowEvents {
  onResolve: (prayer: Prayer, resolved: boolean) => void
  onEdit: (prayer: Prayer) => void
  onDelete: (prayer: Prayer) => void
}

interface PrayerRowProps extends PrayerRowEvents {
  prayer: Prayer
  today: Day
  justResolved: boolean
  printing: boolean
}

/** Padding is on the children, because that of the row would remain while it collapses. */
const ROW =
  'prayer-row group/row grid grid-cols-[auto_1fr_auto_auto] items-start rounded-md transition-colors duration-slow ' +
  'print:block print:break-inside-avoid'

/** With a mouse, the buttons stand back until the row is pointed at or has the focus. */
const ROW_BUTTON =
  'pointer-fine:text-line-strong pointer-fine:group-focus-within/row:text-ink-faint pointer-fine:group-hover/row:text-ink-faint'

/** A prayer's name, note and buttons. */
export const PrayerRow = memo(function PrayerRow(props: PrayerRowProps) {
  const { prayer, today, justResolved, printing, onResolve, onEdit, onDelete } = props
  return (
    <div className={classNames(ROW, justResolved && 'bg-gold-soft')}>
      <ResolveButton
        prayer={prayer}
        justResolved={justResolved}
        onClick={() => onResolve(prayer, !prayer.resolved)}
      />
      <PrayerText prayer={prayer} today={today} printing={printing} />
      <IconButton
        label="Edit prayer"
        detail={`for ${prayer.person_name}`}
        className={ROW_BUTTON}
        onClick={() => onEdit(prayer)}
      >
        <PencilIcon />
      </IconButton>
      <IconButton
        label="Delete prayer"
        detail={`for ${prayer.person_name}`}
        variant="danger"
        className={ROW_BUTTON}
        onClick={() => onDelete(prayer)}
      >
        <TrashIcon />
      </IconButton>
    </div>
  )
})

interface PrayerTextProps {
  prayer: Prayer
  today: Day
  printing: boolean
}

/** The texts of a prayer. Pressing them opens its page; the name is the link to it. */
function PrayerText({ prayer, today, printing }: PrayerTextProps) {
  const { id, person_name, note, resolved } = prayer
  const paused = pausedUntil(prayer, today) !== null
  const handleClick = ({ target }: MouseEvent) => {
    const isControl = target instanceof Element && target.closest('a, button') !== null
    // With a mouse, texts can be selected.
    if (!isControl && getSelection()?.isCollapsed !== false) openPrayer(id)
  }
  return (
    <div
      className={classNames(
        'prayer-text flex min-h-11 cursor-pointer min-w-0 flex-col gap-x-6 gap-y-0.5 px-1 py-2 print:min-h-0 print:px-0 print:py-1',
        paused && 'text-ink-faint',
      )}
      role="presentation"
      onClick={handleClick}
    >
      <div className="flex min-w-0 flex-col gap-0.5">
        <p
          className={classNames(
            'prayer-name font-serif text-lg leading-snug wrap-anywhere',
            resolved && 'line-through decoration-gold-bright decoration-1',
          )}
        >
          <PrayerLink prayerId={id} className="underline-offset-4 hover:underline">
            <bdi>{person_name}</bdi>
          </PrayerLink>
        </p>
        {resolved && (
          <Badge tone="gold" className="mt-0.5 mb-1 self-start">
            Resolved
          </Badge>
        )}
        <RowTexts prayer={prayer} today={today} />
      </div>
      {note !== null && (
        <Note
          // Another text is measured again.
          key={note}
          text={note}
          about={`the note for ${person_name}`}
          resolved={resolved}
          dimmed={paused}
          printing={printing}
        />
      )}
    </div>
  )
}

/** When to pray for an open prayer, with a sign if that is today, when its newest update was written, and whether a text is not encrypted. */
function RowTexts({ prayer, today }: Pick<PrayerTextProps, 'prayer' | 'today'>) {
  const updatedAt = useNewestUpdate(prayer.id)
  const texts = planTexts(prayer, today)
  if (updatedAt !== null && !prayer.resolved) texts.push(`Updated ${dateText(localDay(updatedAt), today)}`)
  const mark = plainMark(prayer)
  if (mark !== null) texts.push(mark)
  if (texts.length === 0) return null
  const isDue = dueToday(prayer, today) !== null
  return (
    <p className="flex flex-wrap gap-x-3 text-xs text-ink-faint print:hidden">
      {texts.map((text, index) => (
        <span key={text} className={classNames('flex gap-x-0.5', isDue && index === 0 && 'text-accent')}>
          {isDue && index === 0 && (
            <RibbonIcon label="For today" className="-ms-1 mt-0.5 size-4! fill-accent" />
          )}
          {text}{' '}
        </span>
      ))}
    </p>
  )
}

interface ResolveButtonProps {
  prayer: Prayer
  justResolved: boolean
  onClick: () => void
}

/** The sun of the answered prayers: an outline, or golden, which glows when the prayer was just resolved. */
function ResolveButton({ prayer, justResolved, onClick }: ResolveButtonProps) {
  const { resolved, person_name } = prayer
  return (
    <IconButton
      label={resolved ? 'Mark as unresolved' : 'Mark as resolved'}
      detail={`for ${person_name}`}
      className={classNames(
        'rounded-full! bg-transparent!',
        resolved ? 'text-gold!' : 'text-line-strong! hover:text-gold!',
      )}
      onClick={onClick}
    >
      <span className="relative flex">
        {justResolved && <Glow />}
        <LightIcon className={classNames('size-6', resolved && 'fill-gold-bright')} />
      </span>
    </IconButton>
  )
}

function Glow() {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 scale-200 rounded-full bg-gold-bright opacity-0 transition duration-700 ease-calm motion-reduce:hidden starting:scale-100 starting:opacity-60"
    />
  )
}
