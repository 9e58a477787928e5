import { useMemo, useRef, useState } from 'react'
import type { Category } from '#web/data/categories.ts'
import type { ListState } from '#web/data/rows.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlusIcon, ReorderIcon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { NotLoaded } from '#web/ui/messages.tsx'
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts'
import type { RowEvents } from './category-row.tsx'
import type { useReorderMode } from './reorder-mode.tsx'
import { SortableCategories } from './sortable-categories.tsx'

interface ListProps extends Omit<RowEvents, 'onEdit'> {
  categories: ListState<Category>
  /** By category id, without categories that have no prayers; null while they are loading. */
  prayerCounts: ReadonlyMap<string, number> | null
  /** Called with the ids of all categories in their new order. */
  onReorder: (ids: readonly string[]) => void
}

interface CategoriesCardProps extends ListProps {
  reorderMode: ReturnType<typeof useReorderMode>
  onAdd: () => void
}

/** The card with the list of categories. */
export function CategoriesCard({ reorderMode, onAdd, ...list }: CategoriesCardProps) {
  const cardRef = useRef<HTMLElement>(null)
  const { rows } = list.categories
  const ids = useMemo(() => rows?.map((category) => category.id) ?? [], [rows])
  const focusHandlers = useFocusAfterRemoval(cardRef, ids)
  const canReorder = ids.length > 1
  return (
    <Card
      ref={cardRef}
      aria-labelledby="your-categories"
      className="px-3 pt-4 pb-2 sm:px-5 sm:pt-5 lg:col-span-2"
      {...focusHandlers}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-2 pb-2 sm:pr-0">
        <h2 id="your-categories" className="min-h-11 flex-1 content-center text-lg sm:text-xl">
          Your Categories
        </h2>
        {canReorder && reorderMode.buttonShown && (
          <Button variant="ghost" className="md:hidden" onClick={reorderMode.enter}>
            <ReorderIcon className="max-sm:hidden" />
            Reorder
          </Button>
        )}
        <Button variant="primary" className="max-sm:w-full" onClick={onAdd}>
          <PlusIcon />
          Add Category
        </Button>
      </div>
      <List reordering={reorderMode.on && canReorder} {...list} />
    </Card>
  )
}

/** The rows, or the reason why there are none. */
function List({ categories, ...props }: ListProps & { reordering: boolean }) {
  const [editingId, setEditingId] = useState<string | null>(null)
  if (categories.rows === null && categories.fetching) return <CategoriesSkeleton />
  if (categories.rows === null) return <NotLoaded what="categories" onRetry={categories.refetch} />
  if (categories.rows.length === 0)
    return (
      <p className="px-2 py-8 text-center text-ink-soft">
        You don't have any categories yet. Add your first category above.
      </p>
    )
  return (
    <SortableCategories
      categories={categories.rows}
      editingId={editingId}
      onEdit={(category) => setEditingId(category?.id ?? null)}
      {...props}
    />
  )
}

/** Visible after a moment only, so that it does not flash when loading is fast. */
function CategoriesSkeleton() {
  return (
    <div className="opacity-100 transition-opacity delay-150 starting:opacity-0">
      <p role="status" className="px-2 py-2 text-ink-soft">
        Loading categories...
      </p>
      <ul aria-hidden="true" className="divide-y divide-line">
        {['w-32', 'w-44', 'w-24'].map((width) => (
          <li key={width} className="flex items-center gap-3 px-2 py-4">
            <Skeleton className={`h-5 ${width}`} />
            <Skeleton className="h-5 w-16 rounded-full" />
          </li>
        ))}
      </ul>
    </div>
  )
}
