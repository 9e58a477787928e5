import { type AnimateLayoutChanges, defaultAnimateLayoutChanges, useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { GripIcon } from '#web/ui/later-icons.tsx'
import { CategoryRow, type CategoryRowProps } from './category-row.tsx'

interface SortableCategoryProps extends Omit<CategoryRowProps, 'handle'> {
  /** The position at which it is shown, counted from 0. */
  index: number
  /** Whether it is lifted with the keyboard. */
  lifted: boolean
  onHandleKeyDown: (event: KeyboardEvent) => void
  onHandleBlur: () => void
}

/** Animates every change of position, not only the end of a drag. */
const alwaysAnimate: AnimateLayoutChanges = (change) =>
  defaultAnimateLayoutChanges({ ...change, wasDragging: true })

/** Duration in milliseconds. */
const TRANSITION = { duration: 320, easing: 'cubic-bezier(0.22, 0.8, 0.3, 1)' }

/** A row with its drag handle. */
export function SortableCategory(props: SortableCategoryProps) {
  const { index, lifted, onHandleKeyDown, onHandleBlur, ...row } = props
  const { id } = row.category
  const { node, setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id, animateLayoutChanges: alwaysAnimate, transition: TRANSITION })
  const isLifted = isDragging || lifted
  const previousIndex = useRef(index)
  useLayoutEffect(() => {
    if (previousIndex.current === index) return
    previousIndex.current = index
    const hasFocus = node.current?.contains(document.activeElement)
    if (hasFocus) node.current?.scrollIntoView({ block: 'nearest' })
  }, [index, node])
  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Translate.toString(transform), transition }}
      className={classNames(
        'scroll-mb-24 bg-surface motion-reduce:transition-none!',
        isLifted && 'category-lifted relative z-10 rounded-md shadow-raised',
      )}
    >
      <CategoryRow
        {...row}
        handle={
          <IconButton
            {...attributes}
            {...listeners}
            ref={setActivatorNodeRef}
            label="Drag to reorder"
            aria-describedby={`category-${id} ${attributes['aria-describedby']}`}
            aria-pressed={isLifted || undefined}
            className={`touch-none max-md:hidden ${isLifted ? 'cursor-grabbing' : 'cursor-grab'}`}
            onKeyDown={onHandleKeyDown}
            onBlur={onHandleBlur}
          >
            <GripIcon />
          </IconButton>
        }
      />
    </li>
  )
}
