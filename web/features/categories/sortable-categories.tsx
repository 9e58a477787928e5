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
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useMemo } from 'react'
import { inOrder, moveId } from './category-order.ts'
import type { Category } from '#web/data/categories.ts'
import { DRAG_INSTRUCTIONS, dragAnnouncements } from './drag-announcements.ts'
import { SortableCategory } from './sortable-category.tsx'
import type { RowEvents } from './row-events.ts'
import { useDroppedOrder } from './use-dropped-order.ts'
import { useKeyboardLift } from './use-keyboard-lift.ts'

interface SortableCategoriesProps extends Omit<RowEvents, 'onMove'> {
  /** In their order. */
  categories: readonly Category[]
  prayerCounts: ReadonlyMap<string, number> | null
  /** Id of the category whose name is being edited. */
  editingId: string | null
  reorderMode: boolean
  /** Takes the ids of all categories in their new order. */
  onReorder: (ids: readonly string[]) => void
}

/** Always measured, so that rows moved by an arrow glide as dragged ones do. */
const MEASURING = { droppable: { strategy: MeasuringStrategy.Always } }
const UP_AND_DOWN: Modifier[] = [({ transform }) => ({ ...transform, x: 0 })]

/** The categories, put in order by mouse, touch or keyboard. */
export function SortableCategories(props: SortableCategoriesProps) {
  const { prayerCounts, editingId, reorderMode, onReorder, ...events } = props
  const { categories, dropped } = useDroppedOrder(props.categories)
  const sensors = useSensors(useSensor(PointerSensor))
  const announcements = useMemo(() => dragAnnouncements(categories), [categories])
  const move = (from: number, to: number) => {
    const ids = categories.map((category) => category.id)
    const moved = moveId(ids, from, to)
    if (moved === ids || from === to) return
    dropped(moved)
    onReorder(moved)
  }
  const lift = useKeyboardLift(categories, move)
  const { order } = lift
  const shown = inOrder(categories, order)
  const dragEnd = ({ active, over }: DragEndEvent) => {
    if (over) move(order.indexOf(String(active.id)), order.indexOf(String(over.id)))
  }
  return (
    <DndContext
      id="categories"
      sensors={sensors}
      collisionDetection={closestCenter}
      measuring={MEASURING}
      modifiers={UP_AND_DOWN}
      accessibility={{
        announcements,
        screenReaderInstructions: { draggable: DRAG_INSTRUCTIONS },
      }}
      onDragStart={lift.putBack}
      onDragEnd={dragEnd}
    >
      <SortableContext items={[...order]} strategy={verticalListSortingStrategy}>
        <ul aria-labelledby="your-categories" className="divide-y divide-line">
          {shown.map((category, index) => (
            <SortableCategory
              key={category.id}
              category={category}
              liftedAt={lift.liftedId === category.id ? index : null}
              prayerCount={prayerCounts && (prayerCounts.get(category.id) ?? 0)}
              editing={editingId === category.id}
              reordering={reorderMode ? { first: index === 0, last: index === shown.length - 1 } : null}
              {...events}
              onMove={(_, by) => move(index, index + by)}
              onHandleKey={(event) => lift.pressed(category.id, event)}
              onHandleLeft={lift.putBack}
            />
          ))}
        </ul>
      </SortableContext>
      <p role="status" className="sr-only">
        {lift.said}
      </p>
    </DndContext>
  )
}
