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
import { arrayMove, SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useMemo } from 'react'
import type { Category } from '#web/data/categories.ts'
import type { RowEvents } from './category-row.tsx'
import { DRAG_INSTRUCTIONS, dragAnnouncements } from './drag-announcements.ts'
import { SortableCategory } from './sortable-category.tsx'
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
