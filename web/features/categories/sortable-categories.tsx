import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  MeasuringStrategy,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  type AnimateLayoutChanges,
  arrayMove,
  defaultAnimateLayoutChanges,
  SortableContext,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef } from 'react'
import type { Category } from '#web/data/categories.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { GripIcon } from '#web/ui/page-icons.tsx'
import { CategoryRow, type CategoryRowProps, type RowEvents } from './category-row.tsx'
import { DRAG_INSTRUCTIONS, dragAnnouncements } from './drag-announcements.ts'
import { useKeyboardLift } from './use-keyboard-lift.ts'

interface SortableCategoriesProps extends RowEvents {
  /** In their order. */
  categories: readonly Category[]
  prayerCounts: ReadonlyMap<string, number> | null
  /** Id of the category whose name is being edited. */
  editingId: string | null
  /** Whether Reorder Mode is on. */
  reordering: boolean
  /** Called with the ids of all categories in their new order. */
  onReorder: (ids: readonly string[]) => void
}

/** Measures outside of a drag too, so that rows moved by keyboard or arrow buttons are animated. */
const MEASURING = { droppable: { strategy: MeasuringStrategy.Always } }
const VERTICAL_ONLY: Modifier[] = [({ transform }) => ({ ...transform, x: 0 })]

/** The list of categories, which mouse, touch, keyboard and the arrow buttons can reorder. */
export function SortableCategories(props: SortableCategoriesProps) {
  const { categories, prayerCounts, editingId, reordering, onReorder, ...events } = props
  const sensors = useSensors(useSensor(PointerSensor))
  const announcements = useMemo(() => dragAnnouncements(categories), [categories])
  const move = (from: number, to: number) => {
    if (from === -1 || to === -1 || from === to) return
    onReorder(arrayMove(idsOf(categories), from, to))
  }
  const lift = useKeyboardLift(categories, move)
  const ids = idsOf(lift.categories)
  const endDrag = ({ active, over }: DragEndEvent) => {
    if (over) move(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)))
  }
  return (
    <DndContext
      id="categories"
      sensors={sensors}
      collisionDetection={closestCenter}
      measuring={MEASURING}
      modifiers={VERTICAL_ONLY}
      accessibility={{
        announcements,
        screenReaderInstructions: { draggable: DRAG_INSTRUCTIONS },
      }}
      onDragStart={lift.cancel}
      onDragEnd={endDrag}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul
          aria-labelledby="your-categories"
          className="categories divide-y divide-line border-t border-line"
        >
          {lift.categories.map((category, index) => (
            <SortableCategory
              key={category.id}
              category={category}
              index={index}
              lifted={lift.liftedId === category.id}
              prayerCount={prayerCounts && (prayerCounts.get(category.id) ?? 0)}
              editing={editingId === category.id}
              position={reordering ? { first: index === 0, last: index === ids.length - 1 } : null}
              {...events}
              onMove={(by) => {
                move(index, index + by)
                lift.announce('moved', category.id, index + by)
              }}
              onHandleKeyDown={(event) => lift.handleKeyDown(category.id, event)}
              onHandleBlur={lift.cancel}
            />
          ))}
        </ul>
      </SortableContext>
      <p role="status" className="sr-only">
        {lift.announcement}
      </p>
    </DndContext>
  )
}

function idsOf(categories: readonly Category[]): string[] {
  return categories.map((category) => category.id)
}

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
function SortableCategory(props: SortableCategoryProps) {
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
        'scroll-mb-24 motion-reduce:transition-none!',
        isLifted ? 'category-lifted relative z-10 rounded-md bg-raised shadow-raised' : 'bg-surface',
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
