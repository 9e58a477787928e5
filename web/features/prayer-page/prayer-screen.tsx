import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import { isRecord } from '#shared/is-record.ts'
import { useCategories } from '#web/data/categories.ts'
import { planTexts, PRAYED_TODAY } from '#web/data/plan.ts'
import { usePrayerUpdates, useUpdatesOf } from '#web/data/prayer-updates.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import { isLastPrayedOn, type Prayer, usePrayers } from '#web/data/prayers.ts'
import { DeletePrayerDialog } from '#web/features/prayer-parts/delete-prayer-dialog.tsx'
import { EditPrayerDialog } from '#web/features/prayer-parts/edit-prayer-dialog.tsx'
import { MissingRows } from '#web/features/prayer-parts/missing-rows.tsx'
import { NameHeading } from '#web/features/prayer-parts/name-heading.tsx'
import { OPENED_HERE } from '#web/features/prayer-parts/prayer-link.tsx'
import { requestOf } from '#web/features/prayer-parts/request-of.ts'
import { usePrayerEvents } from '#web/features/prayer-parts/use-prayer-events.ts'
import { useToday } from '#web/lib/days/days.ts'
import { useDocumentTitle } from '#web/lib/navigation/document-title.ts'
import { returnToLink } from '#web/lib/navigation/link-position.ts'
import { categoryPath, DASHBOARD, prayerPath } from '#web/lib/navigation/routes.ts'
import { Button, ICON_BUTTON_STYLE } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { navigateAfterDialogs } from '#web/ui/close-on-back.ts'
import { keepFocus } from '#web/ui/focus.ts'
import { PencilIcon, TrashIcon } from '#web/ui/icons.tsx'
import { ArrowLeftIcon, MoreIcon, ShareIcon } from '#web/ui/page-icons.tsx'
import { LightIcon } from '#web/ui/line-icon.tsx'
import { ButtonLink } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { closeMenu, Menu, MenuItem } from '#web/ui/menu.tsx'
import { ErrorBanner, StickyBanner } from '#web/ui/messages.tsx'
import { TickCircle } from '#web/ui/tick-circle.tsx'
import { withLinks } from '#web/ui/with-links.tsx'
import { NotEncrypted } from './not-encrypted.tsx'
import { PrayerTimeline } from './prayer-timeline.tsx'
import { ShareDialog } from './share-dialog.tsx'
import './prayer-page.css'

/** `/prayer/<id>`: the page of a prayer. */
export function PrayerScreen({ id }: { id: string }) {
  const prayers = usePrayers()
  const found = prayers.rows?.find((prayer) => prayer.id === id) ?? null
  // It may be deleted elsewhere while something is written on its page.
  const [known, setKnown] = useState(found)
  if (found && found !== known) setKnown(found)
  const prayer = found ?? known
  const isNotFound = prayer === null && prayers.complete
  useEffect(() => () => returnToLink(prayerPath(id)), [id])
  // Not the name: titles stay in the browser's history after signing out.
  useDocumentTitle('Prayer')
  if (isNotFound) return <UnknownPrayer />
  if (prayer) return <PrayerPage prayer={prayer} isDeleted={found === null} error={prayers.error} />
  return (
    <div className="prayer-page">
      <ErrorBanner errors={[prayers.error]} />
      <MissingRows of={[prayers]} what="prayers" skeleton={<PrayerSkeleton />} />
    </div>
  )
}

interface PrayerPageProps {
  prayer: Prayer
  isDeleted: boolean
  error: ReturnType<typeof usePrayers>['error']
}

/** The name, when to pray, the note and the timeline of a prayer, and what can be done with it. */
function PrayerPage({ prayer, isDeleted, error }: PrayerPageProps) {
  const actions = usePrayerActions()
  const { resolve, remove } = usePrayerEvents(actions, error?.message ?? null)
  const categories = useCategories()
  const updates = usePrayerUpdates()
  const ownUpdates = useUpdatesOf(prayer.id)
  const [dialog, setDialog] = useState<'edit' | 'share' | 'delete' | null>(null)
  const [isLeaving, setLeaving] = useState(false)
  const today = useToday()
  const goBack = useGoBack()
  const { note, resolved } = prayer
  const wasPrayed = isLastPrayedOn(prayer, today)
  const close = () => setDialog(null)

  const togglePrayed = () => void (wasPrayed ? actions.unmarkPrayed : actions.markPrayed)([prayer.id], today)
  const confirmDelete = () => {
    // The dialog's entry in the history is left first.
    keepFocus(() => {
      close()
      setLeaving(true)
    })
    goBack()
    void remove(prayer)
  }
  return (
    <>
      <article className="prayer-page">
        <div className="flex items-center justify-between print:hidden">
          <Button variant="ghost" className="-ms-4" onClick={goBack}>
            <ArrowLeftIcon />
            Back
          </Button>
          {!isDeleted && (
            <div className="-me-3 flex">
              <PageButton label="Edit" icon={<PencilIcon />} onClick={() => setDialog('edit')} />
              <PageButton label="Share" icon={<ShareIcon />} onClick={() => setDialog('share')} />
              <Menu label="More" triggerClassName={ICON_BUTTON_STYLE} trigger={<MoreIcon />}>
                <MenuItem
                  onClick={({ currentTarget }) => {
                    closeMenu(currentTarget)
                    setDialog('delete')
                  }}
                >
                  <TrashIcon className="text-ink-faint" />
                  Delete
                </MenuItem>
              </Menu>
            </div>
          )}
        </div>
        <StickyBanner>
          <ErrorBanner errors={[error, updates.error, categories.error]} />
        </StickyBanner>
        <PrayerHeading prayer={prayer} />
        {note !== null && note !== '' && (
          <div className="flex flex-col gap-1">
            <p dir="auto" className="prayer-note">
              {withLinks(note)}
            </p>
            <NotEncrypted
              row={prayer}
              column="note"
              about="the note"
              onEncrypt={() => actions.change(prayer, { note })}
            />
          </div>
        )}
        {isDeleted && (
          <p role="status" className="text-ink-soft">
            {!isLeaving && 'This prayer was deleted.'}
          </p>
        )}
        <PrayerTimeline prayer={prayer} />
        {!isDeleted && (
          <div className="prayer-actions">
            <button type="button" aria-pressed={wasPrayed} className="prayed-today" onClick={togglePrayed}>
              <TickCircle checked={wasPrayed} />
              {PRAYED_TODAY}
            </button>
            <Button className="rounded-full!" onClick={() => void resolve(prayer, !resolved)}>
              {!resolved && <LightIcon />}
              {resolved ? 'Reopen' : 'Answered'}
            </Button>
          </div>
        )}
      </article>
      {dialog === 'edit' && <EditPrayerDialog prayer={prayer} onClose={close} />}
      {dialog === 'share' && (
        <ShareDialog name={prayer.person_name} request={requestOf(prayer, ownUpdates)} onClose={close} />
      )}
      {dialog === 'delete' && (
        <DeletePrayerDialog prayer={prayer} onCancel={close} onConfirm={confirmDelete} />
      )}
    </>
  )
}

interface PageButtonProps {
  label: string
  icon: ReactNode
  onClick: () => void
}

/** A quiet button at the top of the page: on small screens, only its icon shows. */
function PageButton({ label, icon, onClick }: PageButtonProps) {
  return (
    <Button variant="ghost" title={label} className="text-ink-soft max-sm:px-3" onClick={onClick}>
      {icon}
      <span className="max-sm:sr-only">{label}</span>
    </Button>
  )
}

/** The category of a prayer, its name, and when to pray for it. */
function PrayerHeading({ prayer }: { prayer: Prayer }) {
  const today = useToday()
  const { change } = usePrayerActions()
  const { person_name } = prayer
  const category = useCategories().rows?.find(({ id }) => id === prayer.category_id)
  // The button says whether it was prayed today.
  const plan = planTexts(prayer, today).filter((text) => text !== PRAYED_TODAY)
  return (
    <header className="prayer-heading">
      {category && (
        <p className="text-sm tracking-wide text-ink-faint">
          {category.is_visible ? (
            <Link
              href={categoryPath(category.id)}
              className="touch-area rounded-sm text-accent underline-offset-4 hover:underline"
            >
              <bdi>{category.name}</bdi>
            </Link>
          ) : (
            <>
              <bdi>{category.name}</bdi> · Hidden category
            </>
          )}
        </p>
      )}
      <NameHeading name={person_name} />
      <NotEncrypted
        row={prayer}
        column="person_name"
        about="the name"
        onEncrypt={() => change(prayer, { person_name })}
      />
      {prayer.resolved && <Badge tone="gold">Answered</Badge>}
      {plan.length > 0 && <p className="text-ink-soft">{plan.join('\u00a0· ')}</p>}
    </header>
  )
}

/** Shown for a prayer that the user does not have, or not any more. */
function UnknownPrayer() {
  return (
    <div className="m-auto flex max-w-prose flex-col items-center gap-4 py-16 text-center">
      <h1 tabIndex={-1} className="text-2xl">
        This prayer is no longer here.
      </h1>
      <p className="text-ink-soft">It may have been deleted on another device.</p>
      <Link href={DASHBOARD} asChild>
        <ButtonLink className="mt-2">Back to your prayers</ButtonLink>
      </Link>
    </div>
  )
}

/** Returns a function that leads to where the user came from: the dashboard, if the page was opened by a link from elsewhere. */
function useGoBack(): () => void {
  const state: unknown = useHistoryState()
  const isOpenedHere = isRecord(state) && state[OPENED_HERE] === true
  return () =>
    navigateAfterDialogs(() => (isOpenedHere ? history.back() : navigate(DASHBOARD, { replace: true })))
}

/** The outline of the page while the prayers are loading. */
function PrayerSkeleton() {
  return (
    <div className="appear-late flex flex-col gap-4 pt-11">
      <p role="status" className="sr-only">
        Loading prayer...
      </p>
      <Skeleton className="h-4 w-1/4" />
      <Skeleton className="h-11 w-3/5" />
      <Skeleton className="h-4" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  )
}
