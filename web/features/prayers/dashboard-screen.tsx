import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Problem } from '#web/lib/lists/problem.ts'
import { ErrorBanner } from '#web/ui/error-banner.tsx'
import { CategoryGrid } from './category-grid.tsx'
import { DashboardDialogs } from './dashboard-dialogs.tsx'
import { DashboardHeader } from './dashboard-header.tsx'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { NotLoaded } from './not-loaded.tsx'
import { keepFocusOn } from './keep-focus-on.ts'
import { addTo, type OpenDialog } from './open-dialog.ts'
import type { PrayerRowEvents } from './prayer-row.tsx'
import type { Prayer, PrayerCategory } from './prayer.ts'
import type { PrayerActions, PrayersInView } from './queries.ts'
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
  problem: Problem | null
}

interface DashboardScreenProps {
  productName: string
  prayers: PrayersInView
  actions: PrayerActions
  categories: DashboardCategories
}

/** All prayers, each in the card of its category. */
export function DashboardScreen({ productName, prayers, actions, categories }: DashboardScreenProps) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { resolve, remove } = usePrayerEvents(actions)
  const add = useCallback((category: PrayerCategory) => setDialog(addTo(category)), [])
  const edit = useCallback((prayer: Prayer) => setDialog({ kind: 'edit', prayer }), [])
  const askToDelete = useCallback((prayer: Prayer) => setDialog({ kind: 'delete', prayer }), [])
  const confirmDelete = (prayer: Prayer) => {
    // The focus is back in the row before the row leaves, and goes on to its neighbour from there.
    flushSync(() => setDialog(null))
    void remove(prayer)
  }
  const close = (closed: OpenDialog) => {
    flushSync(() => setDialog((open) => (open === closed ? null : open)))
    if (closed.kind === 'edit') keepFocusOn(closed.prayer)
  }
  const formOpen = dialog !== null && dialog.kind !== 'delete'
  return (
    <div className="flex flex-col gap-8">
      <DashboardHeader />
      {/* A form that is open says itself why it could not be saved. */}
      {!formOpen && <ErrorBanner errors={[prayers.problem, categories.problem]} />}
      <Content
        productName={productName}
        prayers={prayers}
        categories={categories}
        onAdd={add}
        onResolve={resolve}
        onEdit={edit}
        onDelete={askToDelete}
      />
      <DashboardDialogs
        dialog={dialog}
        categories={categories.visible ?? []}
        actions={actions}
        onClose={close}
        onDelete={confirmDelete}
      />
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
  if (prayers.problem || categories.problem) return null
  const refetch = () => {
    prayers.refetch()
    categories.refetch()
  }
  return <NotLoaded onRetry={refetch} />
}
