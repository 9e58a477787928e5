import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MeasuringStrategy,
  type Modifier,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useMemo } from 'react'
import { moveId } from './category-order.ts'
import type { Category } from './category.ts'
import { DRAG_INSTRUCTIONS, dragAnnouncements } from './drag-announcements.ts'
import { SortableCategory } from './sortable-category.tsx'
import type { RowEvents } from './row-events.ts'
import { useDroppedOrder } from './use-dropped-order.ts'

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
  const sensors = useSensors(
    useSensor(PointerSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const announcements = useMemo(() => dragAnnouncements(categories), [categories])
  const ids = categories.map((category) => category.id)
  const move = (from: number, to: number) => {
    const moved = moveId(ids, from, to)
    if (moved === ids || from === to) return
    dropped(moved)
    onReorder(moved)
  }
  const dragEnd = ({ active, over }: DragEndEvent) => {
    if (over) move(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)))
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
      onDragEnd={dragEnd}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ul aria-labelledby="your-categories" className="divide-y divide-line">
          {categories.map((category, index) => (
            <SortableCategory
              key={category.id}
              category={category}
              prayerCount={prayerCounts && (prayerCounts.get(category.id) ?? 0)}
              editing={editingId === category.id}
              reordering={reorderMode ? { first: index === 0, last: index === ids.length - 1 } : null}
              {...events}
              onMove={(_, by) => move(index, index + by)}
            />
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}
