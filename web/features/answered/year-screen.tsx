import { Fragment, type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { useCategories } from '#web/data/categories.ts'
import { usePrayedYears } from '#web/data/prayed-counts.ts'
import { type PrayerUpdate, updatesByPrayer, usePrayerUpdates } from '#web/data/prayer-updates.ts'
import { type Prayer, usePrayers } from '#web/data/prayers.ts'
import { MissingRows } from '#web/features/prayer-parts/missing-rows.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { dateText } from '#web/lib/days/day-text.ts'
import { localDay } from '#web/lib/days/days.ts'
import { ANSWERED } from '#web/lib/navigation/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { ArrowLeftIcon } from '#web/ui/page-icons.tsx'
import { LightIcon } from '#web/ui/line-icon.tsx'
import { PillLink } from '#web/ui/pill-link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { ErrorBanner } from '#web/ui/messages.tsx'
import { withLinks } from '#web/ui/with-links.tsx'
import { coverText, type YearBook, yearBook } from './year-book.ts'
import './year.css'

const NO_UPDATES: readonly PrayerUpdate[] = []

/** `/answered/2026`: a year as a small book, to read and to print. */
export function YearScreen({ year }: { year: string }) {
  const prayers = usePrayers()
  const categories = useCategories()
  const updates = usePrayerUpdates()
  const people = usePrayedYears()?.[year] ?? null
  const { rows } = prayers
  const book = useMemo(
    () => (rows && categories.rows ? yearBook(year, rows, categories.rows) : null),
    [year, rows, categories.rows],
  )
  const text = book && coverText(people, book.answered)
  const isEmpty = text === null && book?.people.length === 0
  const names = useMemo(() => new Map(categories.rows?.map(({ id, name }) => [id, name])), [categories.rows])
  return (
    <div className="year mx-auto flex w-full max-w-prose flex-col gap-4 sm:gap-6">
      <div className="flex items-center justify-between gap-3 print:hidden">
        <Link href={ANSWERED} asChild>
          <PillLink>
            <ArrowLeftIcon />
            Answered
          </PillLink>
        </Link>
        {book && !isEmpty && (
          <Button variant="ghost" className="-mr-2 pr-2 pl-2 text-sm" onClick={() => print()}>
            Print
          </Button>
        )}
      </div>
      <div className="empty:hidden print:hidden">
        <ErrorBanner errors={[prayers.error, categories.error, updates.error]} />
      </div>
      <div className="year-book rounded-lg border border-line bg-surface shadow-card">
        <Cover year={year}>{isEmpty && prayers.complete ? `Nothing was answered in ${year}.` : text}</Cover>
        {book ? (
          <>
            <Months
              months={book.months}
              updates={updatesByPrayer(updates.rows ?? NO_UPDATES)}
              categories={names}
            />
            <People people={book.people} />
          </>
        ) : (
          <MissingRows of={[prayers]} what="prayers" skeleton={<BookSkeleton />} />
        )}
      </div>
    </div>
  )
}

function Cover({ year, children }: { year: string; children: string | null | undefined | false }) {
  return (
    <div className="year-cover">
      <LightIcon className="size-8 text-gold-bright" />
      <h1 tabIndex={-1} className="year-title">
        {year}
      </h1>
      {/* The number of people arrives later. */}
      <p className="year-sentence">{children && inClauses(children)}</p>
      <p className="year-imprint">{PRODUCT_NAME}</p>
    </div>
  )
}

/** Its clauses, so that a line ends between two of them rather than inside one. */
function inClauses(sentence: string): ReactNode {
  return sentence.split(/(?<=;) /).map((clause) => (
    <Fragment key={clause}>
      <span>{clause}</span>{' '}
    </Fragment>
  ))
}

interface MonthsProps {
  months: YearBook['months']
  /** By the id of the prayer, newest first. */
  updates: ReadonlyMap<string, readonly PrayerUpdate[]>
  /** The names of the categories by id. */
  categories: ReadonlyMap<string, string>
}

function Months({ months, updates, categories }: MonthsProps) {
  return months.map(({ name, prayers }) => (
    <section key={name} aria-label={name} className="year-section">
      <h2 className="year-heading">{name}</h2>
      {prayers.map((prayer) => (
        <Entry
          key={prayer.id}
          prayer={prayer}
          category={categories.get(prayer.category_id)}
          updates={updates.get(prayer.id) ?? NO_UPDATES}
        />
      ))}
    </section>
  ))
}

const TEXT = 'whitespace-pre-line wrap-anywhere'

interface EntryProps {
  prayer: Prayer
  category: string | undefined
  updates: readonly PrayerUpdate[]
}

/** An answered prayer, told from its beginning: what was asked, what happened, and how it was answered. */
function Entry({ prayer, category, updates }: EntryProps) {
  const { person_name: name, note, answer, answered_on: answeredOn } = prayer
  const day = answeredOn ?? ''
  // If reopening was undone, the answer may still be an update too.
  const earlier = updates.filter(({ body }) => body !== answer).toReversed()
  return (
    <article className="year-entry">
      <h3 dir="auto" className="w-fit max-w-full text-lg leading-snug wrap-anywhere">
        {name}
      </h3>
      <p className="text-sm text-ink-faint">
        {category !== undefined && <bdi className="wrap-anywhere">{category}</bdi>}
        {category !== undefined && '\u00A0· '}
        Answered <time dateTime={day}>{dateText(day, day)}</time>
      </p>
      {note !== null && note.trim() !== '' && (
        <p dir="auto" className={`${TEXT} text-ink-soft`}>
          {withLinks(note)}
        </p>
      )}
      {earlier.map(({ id, body, created_at }) => (
        <p key={id} dir="auto" className={`${TEXT} text-sm text-ink-soft`}>
          <span className="text-ink-faint">{dateText(localDay(created_at), day)}: </span>
          {withLinks(body)}
        </p>
      ))}
      {answer !== null && answer.trim() !== '' && (
        <p dir="auto" className={`${TEXT} year-answer`}>
          {withLinks(answer)}
        </p>
      )}
    </article>
  )
}

function People({ people }: Pick<YearBook, 'people'>) {
  if (people.length === 0) return null
  return (
    <section aria-label="Still prayed for" className="year-section year-people">
      <h2 className="year-heading">Still prayed for</h2>
      {people.map(({ category, names }) => (
        <div key={category.id} className="year-entry">
          <h3 dir="auto" className="text-sm font-normal text-ink-faint wrap-anywhere">
            {category.name}
          </h3>
          <ul className="year-names">
            {names.map((name) => (
              <li key={name} dir="auto" className="font-serif wrap-anywhere">
                {name}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function BookSkeleton() {
  return (
    <div className="appear-late year-section">
      <p role="status" className="sr-only">
        Loading prayers...
      </p>
      <Skeleton className="h-6 w-1/3" />
      <Skeleton className="mt-6 h-4 w-3/5" />
      <Skeleton className="mt-3 h-4" />
    </div>
  )
}
