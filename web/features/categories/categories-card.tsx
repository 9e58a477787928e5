import { useMemo, useRef, useState } from 'react'
import type { Category } from '#web/data/categories.ts'
import type { ListState } from '#web/data/rows.ts'
import { FirstPrayerLink, SuggestedCategories } from '#web/features/prayer-parts/first-steps.tsx'
import { MissingRows } from '#web/features/prayer-parts/missing-rows.tsx'
import { isSameName } from '#web/lib/fold.ts'
import { deleteSameDraft, readDrafts } from '#web/lib/storage/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { ReorderIcon } from '#web/ui/page-icons.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { DraftOffer } from '#web/ui/draft-offer.tsx'
import { keepFocus, useFocusAfterRemoval } from '#web/ui/focus.ts'
import { categoryDraftSchema, NEW_CATEGORY_DRAFTS } from './category-dialog.tsx'
import type { RowEvents } from './category-row.tsx'
import { type ReorderMode, useReorderFocus } from './reorder-mode.tsx'
import { SortableCategories } from './sortable-categories.tsx'

interface ListProps extends Omit<RowEvents, 'onEdit'> {
  categories: ListState<Category>
  /** By category id, without categories that have no prayers; null while they are loading. */
  prayerCounts: ReadonlyMap<string, number> | null
  /** Called with the ids of all categories in their new order. */
  onReorder: (ids: readonly string[]) => void
  onAddSuggested: (name: string) => void
}

interface CategoriesCardProps extends ListProps {
  reorderMode: ReorderMode
  /** Called with the key of a draft to restore it. */
  onAdd: (draftId?: string) => void
}

/** The card with the list of categories. */
export function CategoriesCard({ reorderMode, onAdd, ...list }: CategoriesCardProps) {
  const cardRef = useRef<HTMLElement>(null)
  const reorderRef = useRef<HTMLButtonElement>(null)
  const { rows } = list.categories
  const ids = useMemo(() => rows?.map((category) => category.id) ?? [], [rows])
  const focusHandlers = useFocusAfterRemoval(cardRef, ids)
  useReorderFocus(reorderMode.state, cardRef, reorderRef)
  const canReorder = ids.length > 1
  return (
    <Card
      ref={cardRef}
      aria-labelledby="your-categories"
      className="px-4 pt-3 pb-1 sm:px-6 sm:pt-5 sm:pb-2 lg:col-span-2"
      {...focusHandlers}
    >
      <div className="flex flex-wrap items-center gap-1 pb-3">
        <h2 id="your-categories" className="min-h-11 flex-1 content-center text-xl">
          Your Categories
        </h2>
        <div className="ml-auto flex items-center gap-1">
          {canReorder && reorderMode.state === 'off' && (
            <Button
              ref={reorderRef}
              variant="ghost"
              className="-ml-2 pr-2 pl-2 text-sm md:hidden"
              onClick={reorderMode.enter}
            >
              <ReorderIcon />
              Reorder
            </Button>
          )}
          <Button
            variant="primary"
            title="Add Category"
            className={canReorder ? 'max-sm:size-11 max-sm:p-0' : 'max-sm:px-2.5'}
            onClick={() => onAdd()}
          >
            <PlusIcon />
            <span className={canReorder ? 'max-sm:sr-only' : undefined}>Add Category</span>
          </Button>
        </div>
      </div>
      <DraftOffers categories={rows ?? []} onRestore={onAdd} />
      <List reordering={reorderMode.on && canReorder} {...list} />
    </Card>
  )
}

interface DraftOffersProps {
  categories: readonly Category[]
  onRestore: (draftId: string) => void
}

/**
 * Offers the names that were typed for new categories, but not saved, before the screen was opened, unless there is a category with
 * the name by now.
 */
function DraftOffers({ categories, onRestore }: DraftOffersProps) {
  const [drafts, setDrafts] = useState(() => readDrafts(NEW_CATEGORY_DRAFTS, categoryDraftSchema))
  const isTaken = (typed: string) => categories.some(({ name }) => isSameName(name, typed))
  return drafts
    .filter(({ draft }) => !isTaken(draft.name))
    .map((stored) => {
      const settle = () => keepFocus(() => setDrafts(drafts.filter((other) => other !== stored)))
      return (
        <div key={stored.draft.id} className="pb-3">
          <DraftOffer
            about="New category"
            text={stored.draft.name}
            onRestore={() => {
              settle()
              onRestore(stored.name.at(-1) ?? '')
            }}
            onDiscard={() => {
              settle()
              deleteSameDraft(stored.name, stored.draft)
            }}
          />
        </div>
      )
    })
}

/** The rows, or the reason why there are none. */
function List({ categories, onAddSuggested, ...props }: ListProps & { reordering: boolean }) {
  const [editingId, setEditingId] = useState<string | null>(null)
  const [startedHere, setStartedHere] = useState(false)
  const { rows } = categories
  if (rows === null)
    return <MissingRows of={[categories]} what="categories" skeleton={<CategoriesSkeleton />} />
  if (rows.length === 0)
    return (
      <div className="flex flex-col items-center gap-4 py-8 text-center">
        <p className="text-ink-soft">You don't have any categories yet. Add your first category above.</p>
        <SuggestedCategories
          onAdd={(name) => {
            setStartedHere(true)
            onAddSuggested(name)
          }}
        />
      </div>
    )
  return (
    <>
      <SortableCategories
        categories={rows}
        editingId={editingId}
        onEdit={(category) => setEditingId(category?.id ?? null)}
        {...props}
      />
      {props.prayerCounts?.size === 0 && rows.some((category) => category.is_visible) && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-4">
          <p className="text-ink-soft">Now add someone you pray for.</p>
          <FirstPrayerLink focused={startedHere} />
        </div>
      )}
    </>
  )
}

/** Visible after a moment only, so that it does not flash when loading is fast. */
function CategoriesSkeleton() {
  return (
    <div className="appear-late">
      <p role="status" className="py-2 text-ink-soft">
        Loading categories...
      </p>
      <ul aria-hidden="true" className="divide-y divide-line">
        {['w-32', 'w-44', 'w-24'].map((width) => (
          <li key={width} className="flex h-14 items-center gap-3">
            <Skeleton className={`h-5 ${width}`} />
            <Skeleton className="h-5 w-16 rounded-full" />
          </li>
        ))}
      </ul>
    </div>
  )
}
