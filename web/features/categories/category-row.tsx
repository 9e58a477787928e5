import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Badge } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import type { Category } from '#web/data/categories.ts'
import { CategoryNameEditor } from './category-name-editor.tsx'
import { CategoryRowActions } from './category-row-actions.tsx'
import { prayerCountText } from './prayer-count.ts'
import { ReorderArrows } from './reorder-arrows.tsx'
import type { RowEvents } from './row-events.ts'

export interface CategoryRowProps extends RowEvents {
  category: Category
  /** Prayers in it; null while that is not known. */
  prayerCount: number | null
  editing: boolean
  /** Set in Reorder Mode: what each arrow can still do. */
  reordering: { first: boolean; last: boolean } | null
  /** Takes hold of the row, on wide screens. */
  handle?: ReactNode
}

/** One category: its name, how many prayers it holds, and what can be done. */
export function CategoryRow({
  category,
  prayerCount,
  editing,
  reordering,
  handle,
  ...events
}: CategoryRowProps) {
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
        {prayerCount !== null && <Badge>{prayerCountText(prayerCount)}</Badge>}
        {!category.is_visible && <span className="text-xs text-ink-faint">Hidden</span>}
      </div>
      {reordering ? (
        <ReorderArrows {...reordering} describedBy={nameId} onMove={(by) => events.onMove(category, by)} />
      ) : (
        <CategoryRowActions
          category={category}
          prayerCount={prayerCount}
          describedBy={nameId}
          editButtonRef={editButtonRef}
          {...events}
        />
      )}
    </div>
  )
}

/** When editing ends, the focus goes back to the button that began it. */
function useFocusAfterEditing(editing: boolean) {
  const buttonRef = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(editing)
  useLayoutEffect(() => {
    if (wasEditing.current && !editing && document.activeElement === document.body) buttonRef.current?.focus()
    wasEditing.current = editing
  }, [editing])
  return buttonRef
}
