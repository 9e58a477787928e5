import { type ReactNode, type RefObject, useRef } from 'react'
import type { Category } from '#web/data/categories.ts'
import type { CategoryFields } from '#web/data/category-actions.ts'
import { plainMark } from '#web/data/encryption-status.ts'
import type { ActionResult } from '#web/data/make-change.ts'
import { weekdaysText } from '#web/lib/days/day-text.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { keepFocus } from '#web/ui/focus.ts'
import { PencilIcon, TrashIcon } from '#web/ui/icons.tsx'
import { EyeIcon, EyeOffIcon } from '#web/ui/line-icon.tsx'
import { CategoryEditor, NameDraft } from './category-editor.tsx'
import { ReorderArrows } from './reorder-mode.tsx'
import './categories.css'

export interface RowEvents {
  onToggleVisible: (category: Category) => void
  /** Called with null when editing ends. */
  onEdit: (category: Category | null) => void
  onChange: (category: Category, fields: Partial<CategoryFields>) => Promise<ActionResult>
  /** Also called for a category with prayers, which cannot be deleted. */
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

/** A category: its name, its number of prayers, its days and its actions, or the fields to change it. */
export function CategoryRow(props: CategoryRowProps) {
  const { category, prayerCount, editing, position, onMove, handle, ...events } = props
  const nameId = `category-${category.id}`
  const editButtonRef = useRef<HTMLButtonElement>(null)
  const badges = <RowBadges category={category} count={prayerCount} />
  if (editing)
    return (
      <CategoryEditor
        category={category}
        onSave={(fields) => events.onChange(category, fields)}
        onClose={() =>
          keepFocus(
            () => events.onEdit(null),
            () => editButtonRef.current,
          )
        }
      >
        {badges}
      </CategoryEditor>
    )
  return (
    <>
      <div className="category-row">
        <div className="category-name">
          <h3
            id={nameId}
            dir="auto"
            className={classNames(
              'text-left text-lg leading-snug font-normal wrap-anywhere',
              category.is_visible ? 'text-ink' : 'text-ink-faint italic',
            )}
          >
            {category.name}
          </h3>
          {badges}
        </div>
        {position && <ReorderArrows {...position} describedBy={nameId} onMove={onMove} />}
        <RowActions
          category={category}
          hasPrayers={prayerCount !== null && prayerCount > 0}
          className={position ? 'max-md:hidden' : ''}
          describedBy={nameId}
          handle={handle}
          editButtonRef={editButtonRef}
          {...events}
        />
        {category.pray_days !== null && (
          <p className="text-sm text-ink-soft sm:-mt-1.5 sm:pb-1">{weekdaysText(category.pray_days)}</p>
        )}
      </div>
      <NameDraft
        category={category}
        onRestore={() => events.onEdit(category)}
        onDiscarded={() => editButtonRef.current?.focus()}
      />
    </>
  )
}

/** Outside of the name: their text has the direction of the page, whatever the script of the name. */
function RowBadges({ category, count }: { category: Category; count: number | null }) {
  const mark = plainMark(category)
  return (
    <span className="category-state">
      {count !== null && (
        <Badge className="category-count">
          {count} {count === 1 ? 'prayer' : 'prayers'}
        </Badge>
      )}
      {!category.is_visible && <span className="text-xs text-ink-faint">Hidden</span>}
      {mark !== null && <span className="text-xs text-ink-faint">{mark}</span>}
    </span>
  )
}

interface RowActionsProps extends Omit<RowEvents, 'onChange'> {
  category: Category
  hasPrayers: boolean
  className: string
  /** Id of the element with the name of the category. */
  describedBy: string
  handle: ReactNode
  editButtonRef: RefObject<HTMLButtonElement | null>
}

function RowActions(props: RowActionsProps) {
  const { category, hasPrayers, className, describedBy, handle, editButtonRef } = props
  const { onToggleVisible, onEdit, onDelete } = props
  return (
    <div className={`category-actions ${className}`}>
      {handle}
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
      {/* aria-disabled keeps the button focusable, and pressing it explains why it is disabled. */}
      <IconButton
        label={hasPrayers ? 'Cannot delete: contains prayers' : 'Delete category'}
        variant="danger"
        aria-disabled={hasPrayers || undefined}
        aria-describedby={describedBy}
        onClick={() => onDelete(category)}
      >
        <TrashIcon />
      </IconButton>
    </div>
  )
}
