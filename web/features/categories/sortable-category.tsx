import { type AnimateLayoutChanges, defaultAnimateLayoutChanges, useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { classNames } from '#web/ui/class-names.ts'
import { CategoryRow, type CategoryRowProps } from './category-row.tsx'
import { DragHandle } from './drag-handle.tsx'

/** Rows glide into their new place however they were moved. */
const glide: AnimateLayoutChanges = (change) => defaultAnimateLayoutChanges({ ...change, wasDragging: true })

/** Cosmetic, in milliseconds. */
const TRANSITION = { duration: 320, easing: 'cubic-bezier(0.22, 0.8, 0.3, 1)' }

/** A row that can be lifted and moved. */
export function SortableCategory(props: Omit<CategoryRowProps, 'handle'>) {
  const { id } = props.category
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id, animateLayoutChanges: glide, transition: TRANSITION })
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={classNames(
        'bg-surface motion-reduce:transition-none!',
        isDragging && 'relative z-10 rounded-md shadow-raised',
      )}
    >
      <CategoryRow
        {...props}
        handle={
          <DragHandle
            {...attributes}
            {...listeners}
            ref={setActivatorNodeRef}
            aria-describedby={`category-${id} ${attributes['aria-describedby']}`}
            dragging={isDragging}
          />
        }
      />
    </li>
  )
}
