import { useMemo, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlusIcon, ReorderIcon } from '#web/ui/icons.tsx'
import { CategoriesSkeleton } from './categories-skeleton.tsx'
import type { Category } from '#web/data/categories.ts'
import type { ListState } from '#web/data/use-list.ts'
import type { RowEvents } from './row-events.ts'
import { SortableCategories } from './sortable-categories.tsx'
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts'
import type { useReorderMode } from './use-reorder-mode.ts'

interface CategoriesCardProps extends Pick<RowEvents, 'onToggleVisible' | 'onRename' | 'onDelete'> {
  categories: ListState<Category>
  prayerCounts: ReadonlyMap<string, number> | null
  reorderMode: ReturnType<typeof useReorderMode>
  onAdd: () => void
  onReorder: (ids: readonly string[]) => void
}

/** The card that holds the list of categories. */
export function CategoriesCard(props: CategoriesCardProps) {
  const { categories, prayerCounts, reorderMode, onAdd, ...events } = props
  const cardRef = useRef<HTMLElement>(null)
  const ids = useMemo(() => categories.rows?.map((category) => category.id) ?? [], [categories.rows])
  const noteFocus = useFocusAfterRemoval(cardRef, ids)
  const several = ids.length > 1
  return (
    <Card
      ref={cardRef}
      aria-labelledby="your-categories"
      className="px-3 pt-4 pb-2 sm:px-5 sm:pt-5 lg:col-span-2"
      onFocus={noteFocus}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-2 pb-2 sm:pr-0">
        <h2 id="your-categories" className="min-h-11 flex-1 content-center text-lg sm:text-xl">
          Your Categories
        </h2>
        {several && reorderMode.buttonShown && (
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
      <List
        categories={categories}
        prayerCounts={prayerCounts}
        reorderMode={reorderMode.on && several}
        {...events}
      />
    </Card>
  )
}

interface ListProps extends Pick<
  CategoriesCardProps,
  'onToggleVisible' | 'onRename' | 'onDelete' | 'onReorder'
> {
  categories: ListState<Category>
  prayerCounts: ReadonlyMap<string, number> | null
  reorderMode: boolean
}

/** The rows, or why there are none. A list that could not be fetched is not an empty one. */
function List({ categories, ...list }: ListProps) {
  const [editingId, setEditingId] = useState<string | null>(null)
  if (categories.rows === null && categories.fetching) return <CategoriesSkeleton />
  if (categories.rows === null) return <NotLoaded onRetry={categories.refetch} />
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
      {...list}
    />
  )
}

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-col items-center gap-4 px-2 py-8 text-center">
      <p className="text-ink-soft">Your categories could not be loaded. They are safe where they are kept.</p>
      <Button onClick={onRetry}>Load again</Button>
    </div>
  )
}
