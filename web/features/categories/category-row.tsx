import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import type { Category } from '#web/data/categories.ts'
import type { ActionResult } from '#web/data/changes.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PencilIcon, TrashIcon } from '#web/ui/icons.tsx'
import { EyeIcon, EyeOffIcon } from '#web/ui/line-icon.tsx'
import { CategoryNameEditor } from './category-name-editor.tsx'
import { ReorderArrows } from './reorder-mode.tsx'

export interface RowEvents {
  onToggleVisible: (category: Category) => void
  /** Called with null when editing ends. */
  onEdit: (category: Category | null) => void
  onRename: (category: Category, name: string) => Promise<ActionResult>
  onDelete: (category: Category) => void
}

export interface CategoryRowProps extends RowEvents {
  category: Category
  /** Null while the prayers are loading. */
  prayerCount: number | null
  editing: boolean
  /** Set in Reorder Mode. */
  position: { first: boolean; last: boolean } | null
  onMove: (by: -1 | 1) => void
  /** The drag handle, shown on wide screens. */
  handle?: ReactNode
}

/** A category: its name, its number of prayers and its actions, or the field for its new name. */
export function CategoryRow(props: CategoryRowProps) {
  const { category, prayerCount, editing, position, onMove, handle, ...events } = props
  const nameId = `category-${category.id}`
  const editButtonRef = useFocusAfterEditing(editing)
  if (editing)
    return (
      <CategoryNameEditor
        name={category.name}
        onSave={(name) => events.onRename(category, name)}
        onClose={() => events.onEdit(null)}
      />
    )
  return (
    <div className="flex flex-wrap items-center gap-1 py-1.5">
      {handle}
      <div
        dir="auto"
        className="flex min-w-0 flex-1 basis-28 flex-wrap items-center gap-x-3 gap-y-1 py-1 ps-2"
      >
        <h3
          id={nameId}
          className={classNames(
            'min-w-0 text-lg font-normal wrap-anywhere max-sm:basis-full',
            category.is_visible ? 'text-ink' : 'text-ink-faint italic',
          )}
        >
          {category.name}
        </h3>
        {prayerCount !== null && (
          <Badge>
            {prayerCount} {prayerCount === 1 ? 'prayer' : 'prayers'}
          </Badge>
        )}
        {!category.is_visible && <span className="text-xs text-ink-faint">Hidden</span>}
      </div>
      {position ? (
        <ReorderArrows {...position} describedBy={nameId} onMove={onMove} />
      ) : (
        <RowActions
          category={category}
          hasPrayers={prayerCount !== null && prayerCount > 0}
          describedBy={nameId}
          editButtonRef={editButtonRef}
          {...events}
        />
      )}
    </div>
  )
}

interface RowActionsProps extends RowEvents {
  category: Category
  hasPrayers: boolean
  /** Id of the element with the name of the category. */
  describedBy: string
  editButtonRef: RefObject<HTMLButtonElement | null>
}

function RowActions(props: RowActionsProps) {
  const { category, hasPrayers, describedBy, editButtonRef, onToggleVisible, onEdit, onDelete } = props
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
      {/* aria-disabled keeps the button focusable, so that keyboard and screen reader users learn the reason. */}
      <IconButton
        label={hasPrayers ? 'Cannot delete: contains prayers' : 'Delete category'}
        variant="danger"
        aria-disabled={hasPrayers || undefined}
        aria-describedby={describedBy}
        onClick={() => {
          if (!hasPrayers) onDelete(category)
        }}
      >
        <TrashIcon />
      </IconButton>
    </div>
  )
}

/** Returns the ref of the edit button, which receives the focus when editing ends. */
function useFocusAfterEditing(editing: boolean) {
  const buttonRef = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(editing)
  useLayoutEffect(() => {
    if (wasEditing.current && !editing && document.activeElement === document.body) buttonRef.current?.focus()
    wasEditing.current = editing
  }, [editing])
  return buttonRef
}
