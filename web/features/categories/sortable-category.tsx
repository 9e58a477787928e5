import { type AnimateLayoutChanges, defaultAnimateLayoutChanges, useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { type KeyboardEvent, useLayoutEffect } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { CategoryRow, type CategoryRowProps } from './category-row.tsx'
import { DragHandle } from './drag-handle.tsx'

interface SortableCategoryProps extends Omit<CategoryRowProps, 'handle'> {
  /** Its place in the list while it is lifted with the keyboard; else null. */
  liftedAt: number | null
  onHandleKey: (event: KeyboardEvent) => void
  onHandleLeft: () => void
}

/** Rows glide into their new place however they were moved. */
const glide: AnimateLayoutChanges = (change) => defaultAnimateLayoutChanges({ ...change, wasDragging: true })

/** Cosmetic, in milliseconds. */
const TRANSITION = { duration: 320, easing: 'cubic-bezier(0.22, 0.8, 0.3, 1)' }

/** A row that can be lifted and moved. */
export function SortableCategory(props: SortableCategoryProps) {
  const { liftedAt, onHandleKey, onHandleLeft, ...row } = props
  const { id } = row.category
  const { node, setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id, animateLayoutChanges: glide, transition: TRANSITION })
  const inHand = isDragging || liftedAt !== null
  useLayoutEffect(() => {
    if (liftedAt !== null) node.current?.scrollIntoView({ block: 'nearest' })
  }, [liftedAt, node])
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={classNames(
        'bg-surface motion-reduce:transition-none!',
        inHand && 'relative z-10 rounded-md shadow-raised',
      )}
    >
      <CategoryRow
        {...row}
        handle={
          <DragHandle
            {...attributes}
            {...listeners}
            ref={setActivatorNodeRef}
            aria-describedby={`category-${id} ${attributes['aria-describedby']}`}
            aria-pressed={inHand || undefined}
            dragging={inHand}
            onKeyDown={onHandleKey}
            onBlur={onHandleLeft}
          />
        }
      />
    </li>
  )
}
