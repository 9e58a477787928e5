import { type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { type Category, useCategories, type NamedCategory } from '#web/data/categories.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import { type Prayer, usePrayers } from '#web/data/prayers.ts'
import { type ListState, useSync } from '#web/data/rows.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { countText } from '#web/lib/count-text.ts'
import { hasDrafts } from '#web/lib/storage/draft-owner.ts'
import { lazyChunk, lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { MANAGE_CATEGORIES } from '#web/lib/navigation/routes.ts'
import { rejectedSheetRequest } from '#web/lib/navigation/navigation-state.ts'
import { requestedPrayer } from '#web/lib/navigation/requested-prayer.ts'
import { Card } from '#web/ui/card.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { CategoriesIcon } from '#web/ui/icons.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { PillLink } from '#web/ui/pill-link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { ErrorBanner, StickyBanner } from '#web/ui/messages.tsx'
import { useKeptScrollPosition } from './card-view.ts'
import type { CategoryCardEvents } from './category-card.tsx'
import { CategoryGrid } from './category-grid.tsx'
import { JumpMenu } from './jump-menu.tsx'
import { findPrayer } from './prayer-list.tsx'
import {
  addDialog,
  addSeveralDialog,
  type OpenDialog,
  useOpenDialog,
  useRequestedPrayer,
} from '#web/features/prayer-parts/use-open-dialog.ts'
import { MissingRows } from '#web/features/prayer-parts/missing-rows.tsx'
import { usePrayerEvents } from '#web/features/prayer-parts/use-prayer-events.ts'

const DIALOGS = lazyChunk(async () => (await import('./dashboard-dialogs.tsx')).DashboardDialogs)
const DraftOffers = lazyComponent(async () => (await import('./dashboard-dialogs.tsx')).DraftOffers)
/** Only new users see it. */
const WelcomeCard = lazyComponent(async () => (await import('./welcome-card.tsx')).WelcomeCard)

// A failure is reported when a dialog is opened.
DashboardScreen.preload = () => void DIALOGS.load().catch(() => undefined)

/** The user's prayers, each in the card of its category. */
export function DashboardScreen() {
  const prayers = usePrayers()
  const categories = useCategories()
  const actions = usePrayerActions()
  const { shown, open, close, error } = useOpenDialog(DIALOGS)
  const hasRejected = useSync((sync) => sync.status().rejected.length > 0, false)
  const [hadDrafts] = useState(hasDrafts)
  const [closedCount, setClosedCount] = useState(0)
  const { resolve: save, remove } = usePrayerEvents(actions, prayers.error?.message ?? null)
  const resolve = useCallback((prayer: Prayer, resolved: boolean) => void save(prayer, resolved), [save])
  const addSeveral = useCallback(() => open(addSeveralDialog()), [open])
  const add = useCallback((category: NamedCategory) => open(addDialog(category)), [open])
  const edit = useCallback((prayer: Prayer) => open({ kind: 'edit', prayer }), [open])
  const confirmDelete = useCallback((prayer: Prayer) => open({ kind: 'delete', prayer }), [open])
  const visible = useMemo(
    () => categories.rows && categories.rows.filter((category) => category.is_visible),
    [categories.rows],
  )
  const hasNone = categories.rows?.length === 0

  useRequestedPrayer(visible, prayers.rows, open)
  useKeptScrollPosition()

  const closeDialog = (dialog: OpenDialog) => {
    if (dialog.kind === 'add' && dialog.request) requestedPrayer.set(null)
    // The row from which the dialog was opened may be in another card now: the browser cannot return the focus to it.
    keepFocus(
      () => {
        close(dialog)
        setClosedCount((count) => count + 1)
      },
      () => ('prayer' in dialog ? findPrayer(dialog.prayer) : null),
      { preventScroll: true },
    )
  }
  const deletePrayer = (dialog: OpenDialog, prayer: Prayer) => {
    close(dialog)
    void remove(prayer)
  }
  const isFormOpen = shown !== null && shown.dialog.kind !== 'delete'
  return (
    <div className="flex flex-col gap-3 sm:gap-8">
      <DashboardHeader categories={visible ?? []} />
      {/* An open form shows its own error. */}
      {!isFormOpen && (
        <StickyBanner>
          <ErrorBanner
            errors={[error, prayers.error, categories.error]}
            action={hasRejected && { label: 'See what is kept', run: () => rejectedSheetRequest.set({}) }}
          />
        </StickyBanner>
      )}
      {(hadDrafts || closedCount > 0) && prayers.rows && (hasNone || (visible && visible.length > 0)) && (
        <Suspense>
          {/* A user without categories can only add a list, which comes with one. */}
          <DraftOffers
            only={hasNone ? 'list' : undefined}
            prayers={prayers.rows}
            closedCount={closedCount}
            onRestore={open}
          />
        </Suspense>
      )}
      <DashboardContent
        prayers={prayers}
        categories={categories}
        visible={visible}
        onAddSeveral={addSeveral}
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
          onOpen={open}
          onClose={closeDialog}
          onDelete={(prayer) => deletePrayer(shown.dialog, prayer)}
        />
      )}
    </div>
  )
}

/** With more categories than this, there is a menu to jump to one. */
const MENU_FROM = 12

interface DashboardHeaderProps {
  categories: readonly NamedCategory[]
}

/** The title of the dashboard, the ways to the categories, and the Bible quote. */
function DashboardHeader({ categories }: DashboardHeaderProps) {
  const hasMenu = categories.length > MENU_FROM
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-0.5 sm:items-start print:hidden">
      <h1 tabIndex={-1} className="min-w-min flex-1 text-2xl tracking-tight sm:text-3xl">
        Prayer Dashboard
      </h1>
      <div className="flex shrink-0 gap-2">
        {hasMenu && <JumpMenu categories={categories} />}
        <Link href={MANAGE_CATEGORIES} asChild>
          {/* On phones, the heading beside it has just enough room for one line: beside the menu, only the icon shows. */}
          <PillLink className="max-sm:gap-1.5 max-sm:px-3">
            <CategoriesIcon />
            <span className={hasMenu ? 'max-sm:sr-only' : 'max-[22rem]:sr-only'}>
              <span className="max-sm:sr-only">Manage </span>Categories
            </span>
          </PillLink>
        </Link>
      </div>
      <p className="basis-full text-sm text-ink-soft sm:text-base">
        Track prayer requests and celebrate answers
      </p>
      <BibleQuote />
    </div>
  )
}

function BibleQuote() {
  return (
    <figure className="mt-1 flex basis-full flex-wrap items-baseline gap-x-2.5 border-l-2 border-gold-line pl-2.5 font-serif text-gold sm:mt-4 sm:pl-4">
      <blockquote className="italic sm:text-xl">
        <p>“Brethren, pray for us.”</p>
      </blockquote>
      <figcaption className="text-xs sm:text-sm">1 Thessalonians 5:25</figcaption>
    </figure>
  )
}

interface DashboardContentProps extends CategoryCardEvents {
  prayers: ListState<Prayer>
  categories: ListState<Category>
  /** The categories that are not hidden; null until they have been received. */
  visible: readonly Category[] | null
  onAddSeveral: () => void
}

/** The cards, the first steps if there are none, or the state of loading. */
function DashboardContent({ prayers, categories, visible, onAddSeveral, ...events }: DashboardContentProps) {
  // Until the complete list is shown, cards are rendered in slices, between which the browser handles input. Afterwards,
  // every change shows at once.
  const deferred = useDeferredValue(prayers)
  const { rows, complete } = deferred.complete ? prayers : deferred
  if (visible?.length === 0 && categories.complete)
    return (
      <Suspense fallback={<DashboardSkeleton />}>
        <WelcomeCard productName={PRODUCT_NAME} hidden={categories.rows ?? []} onAddSeveral={onAddSeveral} />
      </Suspense>
    )
  if (visible && rows)
    return (
      <>
        <CategoryGrid categories={visible} prayers={rows} complete={complete} {...events} />
        <HiddenCategories count={(categories.rows?.length ?? 0) - visible.length} />
      </>
    )
  if (visible && prayers.rows) return <DashboardSkeleton />
  return <MissingRows of={[prayers, categories]} what="prayers" skeleton={<DashboardSkeleton />} />
}

function HiddenCategories({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="text-center text-sm text-ink-soft print:hidden">
      <Link href={MANAGE_CATEGORIES} className={`${TEXT_LINK} inline-flex min-h-11 items-center`}>
        {countText(count, 'category', 'categories')} hidden
      </Link>
    </p>
  )
}

/** The outline of the cards while the prayers are loading. It fades in after a delay, so that fast responses do not flicker. */
function DashboardSkeleton() {
  return (
    <div className="category-grid appear-late">
      <div>
        <SkeletonCard>
          <p role="status" className="text-ink-soft">
            Loading prayers...
          </p>
        </SkeletonCard>
        <SkeletonCard>
          <Skeleton className="h-6 w-32" />
        </SkeletonCard>
      </div>
    </div>
  )
}

/** @param children in place of its heading */
function SkeletonCard({ children }: { children: ReactNode }) {
  return (
    <Card className="px-3 pb-2 sm:px-4">
      <div className="flex h-12 items-center">{children}</div>
      {['w-2/5', 'w-3/5', 'w-1/3'].map((width) => (
        <div key={width} className="flex h-13 items-center gap-3">
          <Skeleton className="size-6 rounded-full" />
          <Skeleton className={`h-5 ${width}`} />
        </div>
      ))}
    </Card>
  )
}
