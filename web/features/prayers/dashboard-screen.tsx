import { useCallback } from 'react'
import { flushSync } from 'react-dom'
import { lazyChunk } from '#web/lib/lazy-chunk.ts'
import type { ListError, ListState } from '#web/data/use-list.ts'
import { ErrorBanner } from '#web/ui/banner.tsx'
import { CategoryGrid } from './category-grid.tsx'
import { DashboardHeader } from './dashboard-header.tsx'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { NotLoaded } from './not-loaded.tsx'
import { keepFocusOn } from './keep-focus-on.ts'
import { addTo, type OpenDialog } from './open-dialog.ts'
import type { PrayerRowEvents } from './prayer-row.tsx'
import type { Prayer, PrayerActions } from '#web/data/prayers.ts'
import type { PrayerCategory } from './prayer-category.ts'
import { useOpenDialog } from './use-open-dialog.ts'
import { usePrayerEvents } from './use-prayer-events.ts'
import { WelcomeCard } from './welcome-card.tsx'

/** What the dashboard needs to know of the categories. */
export type DashboardCategories = {
  /** The visible ones in their order; null until the server has told them. */
  visible: readonly PrayerCategory[] | null
  hiddenCount: number
  /** Whether all are here: only then "none" is true. */
  complete: boolean
  fetching: boolean
  refetch: () => void
  error: ListError | null
}

interface DashboardScreenProps {
  productName: string
  prayers: ListState<Prayer>
  actions: PrayerActions
  categories: DashboardCategories
}

const DIALOGS = lazyChunk(async () => (await import('./dashboard-dialogs.tsx')).DashboardDialogs)

/** All prayers, each in the card of its category. */
export function DashboardScreen({ productName, prayers, actions, categories }: DashboardScreenProps) {
  const { shown, open, close, problem, fetchAhead } = useOpenDialog(DIALOGS)
  const { resolve, remove } = usePrayerEvents(actions)
  const add = useCallback((category: PrayerCategory) => open(addTo(category)), [open])
  const edit = useCallback((prayer: Prayer) => open({ kind: 'edit', prayer }), [open])
  const askToDelete = useCallback((prayer: Prayer) => open({ kind: 'delete', prayer }), [open])
  const confirmDelete = (dialog: OpenDialog, prayer: Prayer) => {
    // The focus is back in the row before the row leaves, and goes on to its neighbour from there.
    flushSync(() => close(dialog))
    void remove(prayer)
  }
  const closeAndKeepFocus = (dialog: OpenDialog) => {
    flushSync(() => close(dialog))
    if (dialog.kind === 'edit') keepFocusOn(dialog.prayer)
  }
  const formOpen = shown !== null && shown.dialog.kind !== 'delete'
  return (
    <div className="flex flex-col gap-8" onPointerEnter={fetchAhead} onFocus={fetchAhead}>
      <DashboardHeader />
      {/* A form that is open says itself why it could not be saved. */}
      {!formOpen && <ErrorBanner errors={[problem, prayers.error, categories.error]} />}
      <Content
        productName={productName}
        prayers={prayers}
        categories={categories}
        onAdd={add}
        onResolve={resolve}
        onEdit={edit}
        onDelete={askToDelete}
      />
      {shown && (
        <shown.Dialogs
          dialog={shown.dialog}
          categories={categories.visible ?? []}
          actions={actions}
          onClose={closeAndKeepFocus}
          onDelete={(prayer) => confirmDelete(shown.dialog, prayer)}
        />
      )}
    </div>
  )
}

type ContentProps = Pick<DashboardScreenProps, 'productName' | 'prayers' | 'categories'> &
  PrayerRowEvents & { onAdd: (category: PrayerCategory) => void }

/** The cards, or what stands in their place. */
function Content({ productName, prayers, categories, ...events }: ContentProps) {
  const { visible, hiddenCount } = categories
  if (visible?.length === 0 && categories.complete)
    return <WelcomeCard productName={productName} hiddenCount={hiddenCount} />
  if (visible && prayers.rows)
    return (
      <CategoryGrid categories={visible} prayers={prayers.rows} complete={prayers.complete} {...events} />
    )
  if (prayers.fetching || categories.fetching) return <DashboardSkeleton />
  // The banner says what went wrong, and offers to try again; once it is dismissed, this does.
  if (prayers.error || categories.error) return null
  const refetch = () => {
    prayers.refetch()
    categories.refetch()
  }
  return <NotLoaded onRetry={refetch} />
}
