import type { RefObject } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { EyeIcon, EyeOffIcon, PencilIcon, TrashIcon } from '#web/ui/icons.tsx'
import type { Category } from '#web/data/categories.ts'
import type { RowEvents } from './row-events.ts'

interface CategoryRowActionsProps extends Pick<RowEvents, 'onToggleVisible' | 'onEdit' | 'onDelete'> {
  category: Category
  prayerCount: number | null
  /** Id of the element that names the category. */
  describedBy: string
  editButtonRef: RefObject<HTMLButtonElement | null>
}

/** Hide or show, rename, delete. */
export function CategoryRowActions(props: CategoryRowActionsProps) {
  const { category, prayerCount, describedBy, editButtonRef, onToggleVisible, onEdit, onDelete } = props
  const holdsPrayers = prayerCount !== null && prayerCount > 0
  return (
    <div className="ml-auto flex shrink-0">
      <IconButton
        label={category.is_visible ? 'Hide category' : 'Show category'}
        variant={category.is_visible ? 'default' : 'info'}
        aria-describedby={describedBy}
        onClick={() => onToggleVisible(category)}
      >
        {category.is_visible ? <EyeIcon /> : <EyeOffIcon />}
      </IconButton>
      <IconButton
        label="Edit category"
        ref={editButtonRef}
        aria-describedby={describedBy}
        onClick={() => onEdit(category)}
      >
        <PencilIcon />
      </IconButton>
      {/* Disabled in name only: whoever moves by keyboard or listens can still reach it and learn why. */}
      <IconButton
        label={holdsPrayers ? 'Cannot delete: contains prayers' : 'Delete category'}
        variant="danger"
        aria-disabled={holdsPrayers || undefined}
        aria-describedby={describedBy}
        onClick={() => {
          if (!holdsPrayers) onDelete(category)
        }}
      >
        <TrashIcon />
      </IconButton>
    </div>
  )
}
