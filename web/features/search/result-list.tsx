import { memo, useEffect, useId, useMemo, useRef, useState, useTransition } from 'react'
import type { Category } from '#web/data/categories.ts'
import { plainMark } from '#web/data/encryption-status.ts'
import { pausedUntil } from '#web/data/prayers.ts'
import { PrayerLink } from '#web/features/prayer-parts/prayer-link.tsx'
import { ANSWER_ENTRY } from '#web/features/prayer-parts/timeline-entries.ts'
import { dateText } from '#web/lib/days/day-text.ts'
import { type Day, localDay } from '#web/lib/days/days.ts'
import { useEntryFlag } from '#web/lib/navigation/entry-flag.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Card } from '#web/ui/card.tsx'
import { type Excerpt, excerptsOf, type Part, partsOf, type PrayerText } from './excerpts.ts'
import type { FoundPrayer } from './find-prayers.ts'

/** As in the cards of the dashboard, more of each group are shown on request. */
const FIRST_RESULTS = 25

interface ResultListProps {
  title: string
  found: readonly FoundPrayer[]
  categories: readonly Category[]
  words: readonly string[]
  today: Day
}

/** A group of results; nothing if it is empty. */
export function ResultList({ title, found, categories, words, today }: ResultListProps) {
  const headingId = useId()
  const listRef = useRef<HTMLUListElement>(null)
  // After another query, only its first results are shown.
  const [wasAllShown, keepAllShown] = useEntryFlag(`all ${title}`)
  const [allShownOf, setAllShownOf] = useState(wasAllShown ? words : null)
  const [isPending, startTransition] = useTransition()
  const allShown = allShownOf === words
  const isExpanding = useRef(false)
  const categoryOf = useMemo(
    () => new Map(categories.map((category) => [category.id, category])),
    [categories],
  )
  useEffect(() => {
    if (allShown && isExpanding.current) listRef.current?.children[FIRST_RESULTS]?.querySelector('a')?.focus()
  }, [allShown])
  const showAll = () => {
    isExpanding.current = true
    keepAllShown(true)
    // There may be thousands: the page stays responsive until they are ready.
    startTransition(() => setAllShownOf(words))
  }
  if (found.length === 0) return null
  const shown = allShown ? found : found.slice(0, FIRST_RESULTS)
  return (
    <Card aria-labelledby={headingId} className="pt-1 pb-1 sm:px-1">
      <div className="flex items-center gap-2 px-3 py-2">
        <h2 id={headingId} className="text-xl">
          {title}
        </h2>
        <Badge>{found.length.toLocaleString('en')}</Badge>
      </div>
      <ul ref={listRef} aria-labelledby={headingId}>
        {shown.map((result, index) => (
          <Result
            key={result.prayer.id}
            result={result}
            isFirst={index < FIRST_RESULTS}
            category={categoryOf.get(result.prayer.category_id)}
            words={words}
            today={today}
          />
        ))}
      </ul>
      {shown.length < found.length && (
        <Button
          variant="ghost"
          className="ml-1 px-2 text-sm"
          aria-describedby={headingId}
          loading={isPending}
          onClick={showAll}
        >
          Show all ({found.length.toLocaleString('en')})
        </Button>
      )}
    </Card>
  )
}

interface ResultProps {
  result: FoundPrayer
  /** Whether it is always laid out: guessed heights would move "Show all", below, while it is being pressed. */
  isFirst: boolean
  category: Category | undefined
  words: readonly string[]
  today: Day
}

/** A prayer that was found: its name, its category, and the lines with matches. The whole of it can be pressed. */
const Result = memo(function Result(props: ResultProps) {
  const { result, isFirst, category, words, today } = props
  const { prayer } = result
  const excerpts = excerptsOf(prayer.person_name, textsOf(result, today), words)
  return (
    <li className={`search-result flex flex-col gap-0.5 ${isFirst ? '' : 'skip-rendering-far'}`}>
      <div className="search-head">
        <h3 dir="auto" className="min-w-0 text-lg leading-snug font-normal wrap-anywhere">
          <PrayerLink prayerId={prayer.id} entry={entryOf(excerpts)}>
            <Parts parts={partsOf(prayer.person_name, words)} />
          </PrayerLink>
        </h3>
        <Marks result={result} category={category} today={today} />
      </div>
      {excerpts.map(({ line, label, parts }) => (
        <div key={line} className="text-sm text-ink-soft">
          {label !== null && <p className="mt-1 text-xs text-ink-faint">{label}</p>}
          <p dir="auto" className="search-excerpt wrap-anywhere">
            <Parts parts={parts} />
          </p>
        </div>
      ))}
    </li>
  )
})

/** Where the prayer is, why it may not be on the dashboard, and whether a text is not encrypted. */
function Marks({ result: { prayer, updates }, category, today }: Omit<ResultProps, 'words' | 'isFirst'>) {
  const paused = pausedUntil(prayer, today)
  const mark = plainMark(prayer, ...updates)
  return (
    <p className="flex max-w-full flex-wrap gap-1 text-xs text-ink-faint">
      {category && <bdi className="max-w-full truncate">{category.name}</bdi>}
      {category?.is_visible === false && <span>· Hidden category</span>}
      {paused !== null && <span>· Paused until {dateText(paused, today)}</span>}
      {mark !== null && <span>· {mark}</span>}
    </p>
  )
}

function Parts({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ start, text, isMatch }) => (isMatch ? <mark key={start}>{text}</mark> : text))
}

function textsOf({ prayer, updates }: FoundPrayer, today: Day): readonly PrayerText[] {
  const { note, answer, answered_on: answeredOn } = prayer
  return [
    ...(note ? [{ label: null, text: note, entry: null }] : []),
    ...(answer ? [{ label: labelled('Answer', answeredOn, today), text: answer, entry: ANSWER_ENTRY }] : []),
    ...updates.map(({ id, body, created_at }) => ({
      label: labelled('Update', localDay(created_at), today),
      text: body,
      entry: id,
    })),
  ]
}

/** The entry of the timeline with the most matches; null if the note has as many, or nothing else matches than the name. */
function entryOf(excerpts: readonly Excerpt[]): string | null {
  const count = ({ parts }: Excerpt) => parts.filter(({ isMatch }) => isMatch).length
  const [best] = excerpts.toSorted((a, b) => count(b) - count(a))
  return best && count(best) > 0 ? best.entry : null
}

function labelled(label: string, day: Day | null, today: Day): string {
  return day === null ? label : `${label}, ${dateText(day, today)}`
}
