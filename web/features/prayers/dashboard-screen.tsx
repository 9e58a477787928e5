import { useCallback, useMemo } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'wouter'
import { type Category, useCategories } from '#web/data/categories.ts'
import { type Prayer, usePrayerActions, usePrayers } from '#web/data/prayers.ts'
import type { ListState } from '#web/data/rows.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { lazyChunk } from '#web/lib/lazy-chunk.ts'
import { MANAGE_CATEGORIES } from '#web/lib/paths.ts'
import { requestedPrayer } from '#web/lib/requested-prayer.ts'
import { Card } from '#web/ui/card.tsx'
import { CategoriesIcon } from '#web/ui/icons.tsx'
import { PillLink } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { ErrorBanner, NotLoaded } from '#web/ui/messages.tsx'
import type { CardCategory, CategoryCardEvents } from './category-card.tsx'
import { CategoryGrid } from './category-grid.tsx'
import { focusPrayer } from './prayer-list.tsx'
import { addDialog, type OpenDialog, useOpenDialog, useRequestedPrayer } from './use-open-dialog.ts'
import { usePrayerEvents } from './use-prayer-events.ts'
import { UnsavedPrayers } from './unsaved-prayers.tsx'
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
  const confirmDelete = useCallback((prayer: Prayer) => open({ kind: 'delete', prayer }), [open])
  const visible = useMemo(
    () => categories.rows && categories.rows.filter((category) => category.is_visible),
    [categories.rows],
  )

  useRequestedPrayer(visible, open)

  const closeDialog = (dialog: OpenDialog) => {
    if (dialog.kind === 'add' && dialog.request) requestedPrayer.set(null)
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
      {visible && visible.length > 0 && prayers.rows && (
        <UnsavedPrayers prayers={prayers.rows} onRestore={open} />
      )}
      <DashboardContent
        prayers={prayers}
        categories={categories}
        visible={visible}
        onAdd={add}
        onResolve={resolve}
        onEdit={edit}
        onDelete={confirmDelete}
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

/** The title of the dashboard, the link to the categories, and the Bible quote. */
function DashboardHeader() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-3xl tracking-tight">
            Prayer Dashboard
          </h1>
          <p className="mt-1.5 text-ink-soft">Track your prayer requests and celebrate the answers</p>
        </div>
        <Link href={MANAGE_CATEGORIES} asChild>
          <PillLink>
            <CategoriesIcon />
            Manage Categories
          </PillLink>
        </Link>
      </div>
      <BibleQuote />
    </div>
  )
}

function BibleQuote() {
  return (
    <figure className="border-l-2 border-gold-line pl-4 font-serif text-gold sm:pl-5">
      <blockquote className="text-xl italic">
        <p>“Brethren, pray for us.”</p>
      </blockquote>
      <figcaption className="mt-1 text-sm tracking-wide">1 Thessalonians 5:25</figcaption>
    </figure>
  )
}

interface DashboardContentProps extends CategoryCardEvents {
  prayers: ListState<Prayer>
  categories: ListState<Category>
  /** The categories that are not hidden; null until they have been received. */
  visible: readonly Category[] | null
}

/** The cards, the first steps if there are none, or the state of loading. */
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

const CARDS = [
  { key: 'first', rows: ['w-2/5', 'w-3/5', 'w-1/3'] },
  { key: 'second', rows: ['w-1/2', 'w-2/5'] },
]

/** The outline of the cards while the prayers are loading. It fades in after a delay, so that fast responses do not flicker. */
function DashboardSkeleton() {
  return (
    <div className="opacity-100 transition-opacity delay-150 starting:opacity-0">
      <p role="status" className="mb-4 text-ink-soft">
        Loading prayers...
      </p>
      <div className="grid items-start gap-5 md:grid-cols-2" aria-hidden="true">
        {CARDS.map((card) => (
          <Card key={card.key} className="flex flex-col gap-5 p-5">
            <Skeleton className="h-7 w-32" />
            {card.rows.map((width) => (
              <div key={width} className="flex items-center gap-3">
                <Skeleton className="size-6 rounded-full" />
                <Skeleton className={`h-5 ${width}`} />
              </div>
            ))}
          </Card>
        ))}
      </div>
    </div>
  )
}
