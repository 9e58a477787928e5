import { useMemo, useState } from 'react'
import { type Category, useCategories } from '#web/data/categories.ts'
import { useCategoryActions, useCountPrayers } from '#web/data/category-actions.ts'
import { countByCategory, usePrayers } from '#web/data/prayers.ts'
import { usePrayerListActions } from '#web/data/prayer-lists.ts'
import { countText } from '#web/lib/count-text.ts'
import { isSameName } from '#web/lib/fold.ts'
import { newId } from '#web/lib/new-id.ts'
import { shortName } from '#web/lib/short-name.ts'
import { useAnnounce, useWithdrawOnError } from '#web/ui/announcements.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { AlertDialog, ignoreSecondClick } from '#web/ui/dialog.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { ErrorBanner, StickyBanner } from '#web/ui/messages.tsx'
import { CategoriesCard } from './categories-card.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { ManageHeader, useShine } from './manage-header.tsx'
import { ReorderBar, useReorderMode } from './reorder-mode.tsx'
import { CONTAINS_PRAYERS, useCategoryDeletion } from './use-category-deletion.ts'

/** The screen at /manage-categories: add, edit, hide, reorder and delete categories. */
export function ManageCategoriesScreen() {
  const categories = useCategories()
  const actions = useCategoryActions()
  const { rows: prayers, complete, error: prayersError } = usePrayers()
  const countPrayers = useCountPrayers()
  const prayerCounts = useMemo(
    () => (prayers && complete ? countByCategory(prayers) : null),
    [prayers, complete],
  )
  const announce = useAnnounce()
  useWithdrawOnError(categories.error?.message ?? null)
  const [adding, setAdding] = useState<{ id: string; restore: string | undefined } | null>(null)
  const lists = usePrayerListActions()
  /** The category whose prayers are to be moved. */
  const [moving, setMoving] = useState<Category | null>(null)
  const targetsFor = ({ id }: Category) => categories.rows?.filter((category) => category.id !== id) ?? []
  const deletion = useCategoryDeletion({
    deleteCategory: actions.remove,
    countPrayers,
    categoriesError: categories.error,
  })
  const reorderMode = useReorderMode()
  const { shining, shineSoon } = useShine(categories.rows?.length ?? 0)

  const add = async (id: string, name: string) => {
    const isFirst = categories.rows?.length === 0 && prayerCounts?.size === 0
    const result = await actions.add(id, name)
    if (!result.success) return result
    // Meanwhile the dialog may have been closed, and opened again for another category.
    setAdding((current) => (current === adding ? null : current))
    announce('Category added', { quiet: true })
    if (isFirst) shineSoon()
    return result
  }
  const toggleVisible = async (category: Category) => {
    const announcement = announce(
      category.is_visible ? 'Category hidden from the dashboard' : 'Category shown on the dashboard',
    )
    const result = await actions.change(category.id, { is_visible: !category.is_visible })
    if (!result.success) announcement.withdraw()
  }
  const moveAction = (category: Category | null) =>
    category && targetsFor(category).length > 0
      ? { label: 'Move all to…', run: () => setMoving(category) }
      : undefined
  const deletionError = deletion.error && { ...deletion.error, action: moveAction(deletion.prevented) }
  const requestDeletion = (category: Category) => {
    if (!prayerCounts?.has(category.id)) void deletion.request(category)
    else if (targetsFor(category).length > 0) setMoving(category)
    else announce(CONTAINS_PRAYERS)
  }
  const moveAll = async (from: Category, target: Category) => {
    setMoving(null)
    deletion.error?.dismiss()
    const ids = prayers?.flatMap(({ id, category_id }) => (category_id === from.id ? id : [])) ?? []
    const result = await lists.move(ids, target.id)
    if (!result.success) return
    const message = `${countText(ids.length, 'prayer')} moved to ${shortName(target.name)}`
    announce(message, { undo: () => void lists.move(ids, from.id) })
  }
  return (
    <div className={classNames('flex flex-col gap-4 sm:gap-8', reorderMode.on && 'max-md:pb-20')}>
      <ManageHeader shining={shining} />
      {/* An open form shows its own error. */}
      {adding === null && (
        <StickyBanner>
          <ErrorBanner errors={[deletionError ?? categories.error, prayersError]} />
        </StickyBanner>
      )}
      <div className="grid grid-cols-1 items-start gap-4 sm:gap-6 lg:grid-cols-3">
        {deletion.error === null && (
          <CategoriesCard
            categories={categories}
            prayerCounts={prayerCounts}
            reorderMode={reorderMode}
            onAdd={(restore) => setAdding({ id: newId(), restore })}
            onAddSuggested={(name) => {
              ignoreSecondClick()
              void add(newId(), name)
            }}
            onToggleVisible={(category) => void toggleVisible(category)}
            onChange={(category, fields) => actions.change(category.id, fields)}
            onDelete={requestDeletion}
            onReorder={(ids) => void actions.reorder(ids)}
          />
        )}
        <TipsCard open={categories.rows !== null && categories.rows.length < 3} />
      </div>
      <ReorderBar mode={reorderMode} />
      {adding && (
        <CategoryDialog
          key={adding.id}
          mode="add"
          {...adding}
          isTaken={(name) => categories.rows?.some((each) => isSameName(each.name, name)) ?? false}
          onSave={add}
          onClose={() => setAdding(null)}
        />
      )}
      {moving && (
        <MoveDialog
          from={moving}
          count={prayerCounts?.get(moving.id) ?? 0}
          targets={targetsFor(moving)}
          onMove={(target) => void moveAll(moving, target)}
          onClose={() => setMoving(null)}
        />
      )}
      {deletion.unconfirmed && (
        <AlertDialog
          title="Delete category"
          message={`Are you sure you want to delete the category "${deletion.unconfirmed.name}"? This action cannot be undone.`}
          confirmLabel="Delete"
          onCancel={deletion.cancel}
          onConfirm={() => void deletion.confirm()}
        />
      )}
    </div>
  )
}

const TIPS = [
  {
    action: 'Add',
    tip: 'a category for every circle of people you pray for, such as Family, Friends or Church.',
  },
  { action: 'Reorder', tip: 'them so that those you pray for most come first on your dashboard.' },
  {
    action: 'Hide',
    tip: 'a category to set it aside: its prayers are kept, but not shown on the dashboard.',
  },
  {
    action: 'Edit',
    tip: 'a name whenever it no longer fits, or choose days: “Mondays and Thursdays” for your colleagues.',
  },
  {
    action: 'Delete',
    tip: 'what you no longer need. Categories with prayers cannot be deleted: move or delete the prayers first.',
  },
]

/** Folded below several categories: then the user has found most of it. Beside them, they have room. */
function TipsCard({ open }: { open: boolean }) {
  const [isBeside] = useState(() => matchMedia('(width >= 64rem)').matches)
  return (
    <Card aria-labelledby="tips" className="category-tips">
      <details open={open || isBeside}>
        <summary>
          <h2 id="tips" className="text-lg">
            Tips for Managing Categories
          </h2>
          <ChevronDownIcon className="text-ink-faint" />
        </summary>
        <ul className="flex flex-col gap-2 pt-1 pb-3 text-sm text-ink-soft">
          {TIPS.map(({ action, tip }) => (
            <li key={action}>
              <strong className="font-semibold text-ink">{action}</strong> {tip}
            </li>
          ))}
        </ul>
      </details>
    </Card>
  )
}
