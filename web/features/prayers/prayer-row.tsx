import { memo, useId } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PencilIcon, TrashIcon } from '#web/ui/icons.tsx'
import { PrayerText } from './prayer-text.tsx'
import type { Prayer } from '#web/data/prayers.ts'
import { ResolveButton } from './resolve-button.tsx'

export interface PrayerRowEvents {
  onResolve: (prayer: Prayer, resolved: boolean) => void
  onEdit: (prayer: Prayer) => void
  onDelete: (prayer: Prayer) => void
}

/**
 * Room for a button, the text, and two buttons more: the same with and without the buttons. The room above and below is
 * rows of the grid, because padding would not close with the row.
 */
const ROW =
  'grid grid-cols-[--spacing(11)_1fr_--spacing(11)_--spacing(11)] grid-rows-[--spacing(1)_auto_auto_--spacing(1)] ' +
  'rounded-md pr-1 transition-colors duration-slow'

interface PrayerRowProps extends PrayerRowEvents {
  prayer: Prayer
  /** Otherwise it is its text alone, which can be found in the page and be read out. */
  whole: boolean
  /** It was resolved a moment ago. */
  justResolved: boolean
}

/**
 * One prayer: the person, the note, and what can be done. Drawn again only when one of these changes. Its text stays
 * where it is, with the buttons and without.
 */
export const PrayerRow = memo(function PrayerRow(props: PrayerRowProps) {
  const { prayer, whole, justResolved, onResolve, onEdit, onDelete } = props
  const nameId = useId()
  return (
    <div className={classNames(ROW, justResolved && 'bg-gold-soft')}>
      {whole && (
        <ResolveButton
          resolved={prayer.resolved}
          justResolved={justResolved}
          describedBy={nameId}
          onPress={() => onResolve(prayer, !prayer.resolved)}
        />
      )}
      <PrayerText prayer={prayer} nameId={nameId} />
      {whole && (
        <>
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
        </>
      )}
    </div>
  )
})
