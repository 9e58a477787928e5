import { useCallback, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useCategories } from '#web/data/categories.ts'
import { type PrayerUpdate, updatesByPrayer, usePrayerUpdates } from '#web/data/prayer-updates.ts'
import { usePrayerActions } from '#web/data/prayer-actions.ts'
import { type Prayer, usePrayers } from '#web/data/prayers.ts'
import type { ListState } from '#web/data/rows.ts'
import { AnswerDialog } from '#web/features/prayer-parts/answer-dialog.tsx'
import { DraftOffers } from '#web/features/prayer-parts/draft-offers.tsx'
import { MissingRows } from '#web/features/prayer-parts/missing-rows.tsx'
import type { OpenDialog } from '#web/features/prayer-parts/use-open-dialog.ts'
import { usePrayerEvents } from '#web/features/prayer-parts/use-prayer-events.ts'
import { useToday } from '#web/lib/days/days.ts'
import { DASHBOARD, yearPath } from '#web/lib/navigation/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ignoreSecondClick } from '#web/ui/dialog.tsx'
import { keepFocus } from '#web/ui/focus.ts'
import { LightIcon } from '#web/ui/line-icon.tsx'
import { ButtonLink, TEXT_LINK } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { ErrorBanner } from '#web/ui/messages.tsx'
import { usePrinting } from '#web/ui/viewport.ts'
import { anniversaries, groupByMonth } from './answered-list.ts'
import { AnsweredSection } from './answered-section.tsx'
import { yearsOf } from './year-book.ts'
import './answered.css'

const NO_UPDATES: readonly PrayerUpdate[] = []

/** Lists of up to this many entries are rendered at once, so that the browser's search in the page finds everything. */
const SHORT_LIST = 30

/** `/answered`: all answered prayers, by the month of the answer, and the dialog that edits an answer. */
export function AnsweredScreen() {
  const prayers = usePrayers()
  const { resolve } = usePrayerEvents(usePrayerActions(), prayers.error?.message ?? null)
  const [edited, setEdited] = useState<OpenDialog | null>(null)
  const categories = useCategories()
  const updates = usePrayerUpdates()
  const today = useToday()
  const printing = usePrinting()
  const months = useMemo(() => groupByMonth(prayers.rows ?? []), [prayers.rows])
  const years = useMemo(() => yearsOf(prayers.rows ?? []), [prayers.rows])
  const remembered = useMemo(() => anniversaries(prayers.rows ?? [], today), [prayers.rows, today])
  const categoryNames = useMemo(
    () => new Map(categories.rows?.map(({ id, name }) => [id, name])),
    [categories.rows],
  )

  const edit = useCallback((prayer: Prayer) => setEdited({ kind: 'answer', prayer }), [])
  // The date may have moved the entry to another month: the browser cannot return the focus to it.
  const close = () =>
    keepFocus(
      () => setEdited(null),
      () => (edited?.kind === 'answer' ? findEntry(edited.prayer) : null),
    )
  const reopen = useCallback(
    (prayer: Prayer) => {
      focusNext(prayer)
      // The next entry moves to where this one was pressed.
      ignoreSecondClick()
      void resolve(prayer, false)
    },
    [resolve],
  )
  const section = {
    categories: categoryNames,
    updates: updatesByPrayer(updates.rows ?? NO_UPDATES),
    complete: prayers.complete,
    printing,
    isShort: months.reduce((count, month) => count + month.prayers.length, 0) <= SHORT_LIST,
    onEdit: edit,
    onReopen: reopen,
  }
  return (
    <>
      <div className="answered mx-auto flex w-full max-w-prose flex-col gap-4 sm:gap-6">
        <div className="answered-header flex flex-wrap items-center justify-between gap-x-3 gap-y-0.5">
          <h1 tabIndex={-1} className="min-w-0 text-2xl tracking-tight sm:text-3xl">
            Answered<span className="answered-booklet-title"> prayers</span>
          </h1>
          {months.length > 0 && (
            <Button variant="ghost" className="-mr-2 pr-2 pl-2 text-sm print:hidden" onClick={() => print()}>
              Print
            </Button>
          )}
          <p className="basis-full text-sm text-ink-soft sm:text-base print:hidden">
            What you prayed for, and how it was answered
          </p>
          {years.length > 0 && <Years years={years} />}
        </div>
        <div className="empty:hidden print:hidden">
          <ErrorBanner errors={[prayers.error, updates.error]} />
        </div>
        {prayers.rows && <DraftOffers only="answer" prayers={prayers.rows} onRestore={setEdited} />}
        {months.length > 0 ? (
          <div className="flex flex-col gap-6 sm:gap-8 print:block">
            {remembered.map((group) => (
              <AnsweredSection key={group.title} group={group} anniversaryOf={today} {...section} />
            ))}
            {months.map((group) => (
              <AnsweredSection key={group.title} group={group} anniversaryOf={null} {...section} />
            ))}
          </div>
        ) : (
          <NoEntries prayers={prayers} />
        )}
      </div>
      {edited?.kind === 'answer' && (
        <AnswerDialog prayer={edited.prayer} restore={edited.restore} onClose={close} />
      )}
    </>
  )
}

/** Leads to the books of the years. */
function Years({ years }: { years: readonly string[] }) {
  return (
    <nav aria-label="Your year" className="flex basis-full items-baseline gap-x-4 text-sm print:hidden">
      <span className="text-ink-soft">Your year as a book:</span>
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-4">
        {years.map((year) => (
          <Link key={year} href={yearPath(year)} className={`${TEXT_LINK} inline-flex min-h-11 items-center`}>
            {year}
          </Link>
        ))}
      </div>
    </nav>
  )
}

/** What is shown in place of the list. */
function NoEntries({ prayers }: { prayers: ListState<Prayer> }) {
  if (prayers.rows && prayers.complete) return <Empty />
  return <MissingRows of={[prayers]} what="prayers" skeleton={<AnsweredSkeleton />} />
}

function Empty() {
  return (
    <Card className="flex flex-col items-center gap-3 px-6 pt-7 pb-9 text-center">
      <LightIcon className="size-7 text-gold-bright" />
      <h2 className="text-xl">Nothing here yet</h2>
      <p className="max-w-form text-ink-soft">
        When you mark a prayer as resolved, it is kept here, with the day and with what you write about how it
        was answered.
      </p>
      <Link href={DASHBOARD} asChild>
        <ButtonLink className="mt-2">Your prayers</ButtonLink>
      </Link>
    </Card>
  )
}

const LINES = ['w-2/5', 'w-1/2', 'w-1/3']

/** The outline of a month while the prayers are loading. */
function AnsweredSkeleton() {
  return (
    <div className="appear-late flex flex-col gap-2">
      <p role="status" className="px-1 text-ink-soft">
        Loading answered prayers...
      </p>
      <Card className="divide-y divide-line">
        {LINES.map((width) => (
          <div key={width} className="flex flex-col gap-3 px-4 py-5 sm:px-6">
            <Skeleton className={`h-5 ${width}`} />
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-4" />
          </div>
        ))}
      </Card>
    </div>
  )
}

/** The heading of a prayer's entry; null if it is not shown. */
function findEntry({ id }: Prayer): HTMLElement | null {
  return document.querySelector<HTMLElement>(`article[data-prayer="${id}"]:not([inert] *) h3`)
}

/** Focuses the entry after that of a prayer, or before it if it is the last one; else the heading of the screen. */
function focusNext({ id }: Prayer): void {
  const entries = [...document.querySelectorAll<HTMLElement>('main article:not([inert] *)')]
  const isOther = (entry: HTMLElement) => entry.dataset['prayer'] !== id
  const focused = document.activeElement?.closest('article')
  const index = entries.findIndex((entry) => entry === focused)
  const next = entries.slice(index).find(isOther) ?? entries.slice(0, index).findLast(isOther)
  const heading = next?.querySelector('h3') ?? document.querySelector<HTMLElement>('main h1')
  heading?.focus({ preventScroll: true })
}
