import { memo, useId } from 'react'
import type { Prayer } from '#web/data/prayers.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { CheckIcon, PencilIcon, TrashIcon } from '#web/ui/icons.tsx'

export interface PrayerRowEvents {
  onResolve: (prayer: Prayer, resolved: boolean) => void
  onEdit: (prayer: Prayer) => void
  onDelete: (prayer: Prayer) => void
}

/** The space above and below consists of grid rows, because padding would remain while the row collapses. */
const ROW =
  'grid grid-cols-[--spacing(11)_1fr_--spacing(11)_--spacing(11)] grid-rows-[--spacing(1)_auto_auto_--spacing(1)] ' +
  'rounded-md pr-1 transition-colors duration-slow'

interface PrayerRowProps extends PrayerRowEvents {
  prayer: Prayer
  justResolved: boolean
}

/** A prayer's name, note and buttons. */
export const PrayerRow = memo(function PrayerRow(props: PrayerRowProps) {
  const { prayer, justResolved, onResolve, onEdit, onDelete } = props
  const nameId = useId()
  return (
    <div className={classNames(ROW, justResolved && 'bg-gold-soft')}>
      <ResolveButton
        resolved={prayer.resolved}
        justResolved={justResolved}
        describedBy={nameId}
        onClick={() => onResolve(prayer, !prayer.resolved)}
      />
      <PrayerText prayer={prayer} nameId={nameId} />
      <IconButton
        label="Edit prayer"
        className="row-start-2"
        aria-describedby={nameId}
        onClick={() => onEdit(prayer)}
      >
        <PencilIcon />
      </IconButton>
      <IconButton
        label="Delete prayer"
        variant="danger"
        className="row-start-2"
        aria-describedby={nameId}
        onClick={() => onDelete(prayer)}
      >
        <TrashIcon />
      </IconButton>
    </div>
  )
})

function PrayerText({ prayer, nameId }: { prayer: Prayer; nameId: string }) {
  const { person_name, note, resolved } = prayer
  return (
    <>
      <div
        dir="auto"
        className="col-start-2 row-start-2 mx-1 flex min-h-11 min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 py-2"
      >
        <span
          id={nameId}
          className={classNames(
            'min-w-0 font-serif text-lg wrap-anywhere transition-colors duration-calm',
            resolved && 'text-ink-soft line-through decoration-gold-bright',
          )}
        >
          {person_name}
        </span>
        {resolved && <Badge tone="gold">Resolved</Badge>}
      </div>
      {note !== null && (
        <p
          dir="auto"
          className={classNames(
            'col-span-3 col-start-2 row-start-3 -mt-1 ml-1 pr-3 pb-2 text-sm whitespace-pre-line wrap-anywhere text-ink-soft',
            resolved && 'line-through decoration-gold-bright',
          )}
        >
          {note}
        </p>
      )}
    </>
  )
}

interface ResolveButtonProps {
  resolved: boolean
  justResolved: boolean
  /** Id of the element with the prayer's name. */
  describedBy: string
  onClick: () => void
}

/** An open ring, or a golden one with a tick, which glows when the prayer was just resolved. */
function ResolveButton({ resolved, justResolved, describedBy, onClick }: ResolveButtonProps) {
  return (
    <IconButton
      label={resolved ? 'Mark as unresolved' : 'Mark as resolved'}
      variant="success"
      className="group row-start-2 rounded-full! bg-transparent!"
      aria-describedby={describedBy}
      onClick={onClick}
    >
      <span
        className={classNames(
          'relative flex size-6 items-center justify-center rounded-full border-2 transition-colors duration-calm',
          resolved
            ? 'border-gold-bright bg-gold-bright text-surface'
            : 'border-line-strong text-transparent group-hover:border-success group-hover:text-success',
        )}
      >
        {justResolved && <Glow />}
        <CheckIcon className={classNames('size-4', !resolved && 'forced-colors:invisible')} />
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
