import { useCallback, useMemo } from 'react'
import { flushSync } from 'react-dom'
import { type Category, useCategories } from '#web/data/categories.ts'
import { type Prayer, usePrayerActions, usePrayers } from '#web/data/prayers.ts'
import type { ListState } from '#web/data/use-list.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { lazyChunk } from '#web/lib/lazy-chunk.ts'
import { ErrorBanner, NotLoaded } from '#web/ui/messages.tsx'
import type { CardCategory, CategoryCardEvents } from './category-card.tsx'
import { CategoryGrid } from './category-grid.tsx'
import { DashboardHeader } from './dashboard-header.tsx'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { focusPrayer } from './prayer-list.tsx'
import { addDialog, type OpenDialog, useOpenDialog } from './use-open-dialog.ts'
import { usePrayerEvents } from './use-prayer-events.ts'
import { WelcomeCard } from './welcome-card.tsx'

const DIALOGS = lazyChunk(async () => (await import('./dashboard-dialogs.tsx')).DashboardDialogs)

/** The user's prayers, each in the card of its category. */
export function DashboardScreen() {
  const prayers = usePrayers()
  const categories = useCategories()
  const actions = usePrayerActions()
  const { shown, open, close, error, preload } = useOpenDialog(DIALOGS)
  const { resolve, remove } = usePrayerEvents(actions)
  const add = useCallback((category: CardCategory) => open(addDialog(category)), [open])
  const edit = useCallback((prayer: Prayer) => open({ kind: 'edit', prayer }), [open])
  const askToDelete = useCallback((prayer: Prayer) => open({ kind: 'delete', prayer }), [open])
  const visible = useMemo(
    () => categories.rows && categories.rows.filter((category) => category.is_visible),
    [categories.rows],
  )

  const closeDialog = (dialog: OpenDialog) => {
    flushSync(() => close(dialog))
    // The row from which the dialog was opened may be in another card now: the browser cannot return the focus to it.
    const isFocusLost = document.activeElement === document.body
    if (dialog.kind === 'edit' && isFocusLost) focusPrayer(dialog.prayer, { preventScroll: true })
  }
  const deletePrayer = (dialog: OpenDialog, prayer: Prayer) => {
    // The focus returns to the row before the row is removed, so that it can move on to the next row.
    flushSync(() => close(dialog))
    void remove(prayer)
  }
  const isFormOpen = shown !== null && shown.dialog.kind !== 'delete'
  return (
    <div className="flex flex-col gap-8" onPointerEnter={preload} onFocus={preload}>
      <DashboardHeader />
      {/* An open form shows its own error. */}
      {!isFormOpen && <ErrorBanner errors={[error, prayers.error, categories.error]} />}
      <DashboardContent
        prayers={prayers}
        categories={categories}
        visible={visible}
        onAdd={add}
        onResolve={resolve}
        onEdit={edit}
        onDelete={askToDelete}
      />
      {shown && (
        <shown.Dialogs
          dialog={shown.dialog}
          categories={visible ?? []}
          actions={actions}
          onClose={closeDialog}
          onDelete={(prayer) => deletePrayer(shown.dialog, prayer)}
        />
      )}
    </div>
  )
}

interface DashboardContentProps extends CategoryCardEvents {
  prayers: ListState<Prayer>
  categories: ListState<Category>
  /** The categories that are not hidden; null until they have been received. */
  visible: readonly Category[] | null
}

/** The cards; or the first steps, if there are none; or what is shown until they have been received. */
function DashboardContent({ prayers, categories, visible, ...events }: DashboardContentProps) {
  if (visible?.length === 0 && categories.complete)
    return <WelcomeCard productName={PRODUCT_NAME} hiddenCount={categories.rows?.length ?? 0} />
  if (visible && prayers.rows)
    return (
      <CategoryGrid categories={visible} prayers={prayers.rows} complete={prayers.complete} {...events} />
    )
  if (prayers.fetching || categories.fetching) return <DashboardSkeleton />
  // The banner offers to try again. Once it has been dismissed, this does.
  if (prayers.error || categories.error) return null
  const refetch = () => {
    prayers.refetch()
    categories.refetch()
  }
  return <NotLoaded what="prayers" onRetry={refetch} />
}
