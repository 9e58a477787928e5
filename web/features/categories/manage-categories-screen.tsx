import { useState } from 'react'
import type { Category, CategoryActions } from '#web/data/categories.ts'
import { newId } from '#web/lib/new-id.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { ErrorBanner } from '#web/ui/banner.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { AlertDialog } from '#web/ui/dialog.tsx'
import { AddCategoryDialog } from './add-category-dialog.tsx'
import { CategoriesCard } from './categories-card.tsx'
import type { CountedPrayers } from './counted-prayers.ts'
import { ManageHeader } from './manage-header.tsx'
import type { ListState } from '#web/data/use-list.ts'
import { ReorderBar } from './reorder-bar.tsx'
import { TipsCard } from './tips-card.tsx'
import { useCategoryDeletion } from './use-category-deletion.ts'
import { useReorderMode } from './use-reorder-mode.ts'
import { useShine } from './use-shine.ts'

interface ManageCategoriesScreenProps {
  categories: ListState<Category>
  actions: CategoryActions
  prayers: CountedPrayers
}

/** All categories: add, rename, hide, order, delete. */
export function ManageCategoriesScreen({ categories, actions, prayers }: ManageCategoriesScreenProps) {
  const announce = useAnnounce()
  const [addingId, setAddingId] = useState<string | null>(null)
  const deletion = useCategoryDeletion(actions.remove, categories, prayers)
  const reorderMode = useReorderMode()
  const shine = useShine(categories.rows?.length ?? 0)

  const add = async (id: string, name: string) => {
    const isFirst = categories.rows?.length === 0 && prayers.counts?.size === 0
    const result = await actions.add(id, name)
    if (!result.success) return result
    setAddingId((open) => (open === addingId ? null : open))
    announce('Category added')
    if (isFirst) shine.shineSoon()
    return result
  }
  const toggleVisible = (category: Category) => {
    const said = category.is_visible
      ? 'Category hidden from the dashboard'
      : 'Category shown on the dashboard'
    const withdraw = announce(said)
    void actions
      .update(category.id, { is_visible: !category.is_visible })
      .then((result) => result.success || withdraw())
  }
  return (
    <div className={classNames('flex flex-col gap-8', reorderMode.on && 'max-md:pb-20')}>
      <ManageHeader shining={shine.shining} />
      {addingId === null && <ErrorBanner errors={[deletion.refusal ?? categories.error, prayers.error]} />}
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-3">
        {deletion.refusal === null && (
          <CategoriesCard
            categories={categories}
            prayerCounts={prayers.counts}
            reorderMode={reorderMode}
            onAdd={() => setAddingId(newId())}
            onToggleVisible={toggleVisible}
            onRename={(category, name) => actions.update(category.id, { name })}
            onDelete={(category) => void deletion.ask(category)}
            onReorder={(ids) => void actions.reorder(ids)}
          />
        )}
        <TipsCard />
      </div>
      <ReorderBar open={reorderMode.on} onDone={reorderMode.leave} />
      {addingId !== null && (
        <AddCategoryDialog key={addingId} id={addingId} onSave={add} onClose={() => setAddingId(null)} />
      )}
      <AlertDialog
        open={deletion.asking !== null}
        title="Delete category"
        message={`Are you sure you want to delete the category "${deletion.asking?.name}"? This action cannot be undone.`}
        confirmLabel="Delete"
        onCancel={deletion.cancel}
        onConfirm={() => void deletion.confirm()}
      />
    </div>
  )
}
