import { memo, useId } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PencilIcon, TrashIcon } from '#web/ui/icons/action-icons.tsx'
import { PrayerText, ROW } from './prayer-text.tsx'
import type { Prayer } from './prayer.ts'
import { ResolveButton } from './resolve-button.tsx'

export interface PrayerRowEvents {
  onResolve: (prayer: Prayer, resolved: boolean) => void
  onEdit: (prayer: Prayer) => void
  onDelete: (prayer: Prayer) => void
}

interface PrayerRowProps extends PrayerRowEvents {
  prayer: Prayer
  /** It was resolved a moment ago. */
  justResolved: boolean
}

/** One prayer: the person, the note, and what can be done. Drawn again only when one of these changes. */
export const PrayerRow = memo(function PrayerRow(props: PrayerRowProps) {
  const { prayer, justResolved, onResolve, onEdit, onDelete } = props
  const nameId = useId()
  return (
    <div className={classNames(ROW, 'transition-colors duration-slow', justResolved && 'bg-gold-soft')}>
      <ResolveButton
        resolved={prayer.resolved}
        justResolved={justResolved}
        describedBy={nameId}
        onPress={() => onResolve(prayer, !prayer.resolved)}
      />
      <PrayerText prayer={prayer} nameId={nameId} />
      <div className="col-start-3 row-start-1 flex">
        <IconButton label="Edit prayer" aria-describedby={nameId} onClick={() => onEdit(prayer)}>
          <PencilIcon />
        </IconButton>
        <IconButton
          label="Delete prayer"
          variant="danger"
          aria-describedby={nameId}
          onClick={() => onDelete(prayer)}
        >
          <TrashIcon />
        </IconButton>
      </div>
    </div>
  )
})
