import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type SubmitEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import { type Category, useCategories } from '#web/data/categories.ts'
import { type PrayerUpdate, updatesByPrayer, usePrayerUpdates } from '#web/data/prayer-updates.ts'
import { type Prayer, usePrayers } from '#web/data/prayers.ts'
import type { ListState } from '#web/data/rows.ts'
import { MissingRows } from '#web/features/prayer-parts/missing-rows.tsx'
import { countText } from '#web/lib/count-text.ts'
import { useToday } from '#web/lib/days/days.ts'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { shortcutKey } from '#web/lib/navigation/shortcuts.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CONTROL } from '#web/ui/fields.tsx'
import { CloseIcon, SearchIcon } from '#web/ui/icons.tsx'
import { ButtonLink } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { ErrorBanner } from '#web/ui/messages.tsx'
import {
  areFolded,
  findPrayers,
  foldInSlices,
  searchablePrayers,
  type SearchResults,
} from './find-prayers.ts'
import { wordsOf } from './match.ts'
import { ResultList } from './result-list.tsx'
import { useQuery } from './use-query.ts'
import './search.css'

/** How long the number of results has to stay the same before it is announced, in milliseconds. */
const ANNOUNCE_DELAY_MS = 700

const MAX_LENGTH = 200

const NO_UPDATES: readonly PrayerUpdate[] = []
const NO_CATEGORIES: readonly Category[] = []

/** `/search`: finds prayers by the words in their names, notes, updates and answers, and leads to their pages. */
export function SearchScreen() {
  const prayers = usePrayers()
  const updates = usePrayerUpdates()
  const categories = useCategories()
  const [query, setQuery] = useQuery()
  const fieldRef = useRef<HTMLInputElement>(null)
  const contentRef = useRef<HTMLDivElement>(null)
  // The same words, for example before and after a space, are the same search.
  const folded = wordsOf(query).join(' ')
  const words = useMemo(() => wordsOf(folded), [folded])
  const results = useResults(
    prayers.rows,
    updates.rows ?? NO_UPDATES,
    categories.rows ?? NO_CATEGORIES,
    words,
  )

  useEffect(() => {
    const focus = () => fieldRef.current?.focus({ preventScroll: true })
    // Elsewhere, this key leads to this screen.
    const focusOnKey = (event: globalThis.KeyboardEvent) => {
      if (shortcutKey(event) !== '/') return
      event.preventDefault()
      focus()
    }
    focus()
    document.addEventListener('keydown', focusOnKey, { capture: true })
    return () => document.removeEventListener('keydown', focusOnKey, { capture: true })
  }, [])

  const submit = () => {
    // On a touch screen this key hides the keyboard, which covers the results.
    if (matchMedia('(pointer: coarse)').matches) fieldRef.current?.blur()
    else contentRef.current?.querySelector<HTMLElement>('ul a')?.click()
  }
  const clear = () => {
    setQuery('')
    fieldRef.current?.focus()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed, as in Japanese, the keys belong to the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      if (event.target === fieldRef.current) clear()
      else fieldRef.current?.focus()
    }
    if (event.key === 'ArrowDown') moveFocus(event, contentRef.current, 1)
    if (event.key === 'ArrowUp') moveFocus(event, contentRef.current, -1)
  }
  return (
    <div
      ref={contentRef}
      role="presentation"
      className="mx-auto flex w-full max-w-prose flex-col gap-3 sm:gap-5"
      onKeyDown={handleKeyDown}
    >
      <h1 tabIndex={-1} className="text-2xl tracking-tight sm:text-3xl">
        Search
      </h1>
      <SearchField ref={fieldRef} query={query} onChange={setQuery} onSubmit={submit} onClear={clear} />
      <ResultCount results={words.length > 0 ? results : null} />
      <ErrorBanner errors={[prayers.error, updates.error, categories.error]} />
      <SearchContent
        prayers={prayers}
        categories={categories.rows ?? []}
        query={query}
        words={words}
        results={results}
      />
    </div>
  )
}

interface SearchFieldProps {
  ref: Ref<HTMLInputElement>
  query: string
  onChange: (query: string) => void
  /** Called on Enter. */
  onSubmit: () => void
  onClear: () => void
}

/** Stays in view while the results are scrolled. */
function SearchField({ ref, query, onChange, onSubmit, onClear }: SearchFieldProps) {
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form
      role="search"
      className="top-header z-10 -mx-3 -my-2 bg-paper px-3 py-2 tall:sticky print:hidden"
      onSubmit={submit}
    >
      <div className="search-field">
        <SearchIcon className="text-ink-faint" />
        <input
          ref={ref}
          type="search"
          dir="auto"
          aria-label="Search prayers"
          placeholder="Name or words"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          value={query}
          className={CONTROL}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        {query !== '' && (
          <IconButton label="Clear" onClick={onClear}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
    </form>
  )
}

/** The results; null until the texts have been prepared for the first search. */
function useResults(
  prayers: readonly Prayer[] | null,
  updates: readonly PrayerUpdate[],
  categories: readonly Category[],
  words: readonly string[],
): SearchResults | null {
  // After "back", the results are there at once, for the browser to restore the scroll position.
  const [isReady, setReady] = useState(() => prayers !== null && areFolded(prayers))
  useEffect(() => {
    if (!prayers) return undefined
    const controller = new AbortController()
    void foldInSlices(prayers, updatesByPrayer(updates), controller.signal).then(
      (done) => done && setReady(true),
    )
    return () => controller.abort()
  }, [prayers, updates])
  const searchable = useMemo(
    () => (isReady && prayers ? searchablePrayers(prayers, updatesByPrayer(updates)) : null),
    [isReady, prayers, updates],
  )
  const hidden = useMemo(
    () => new Set(categories.filter((category) => !category.is_visible).map(({ id }) => id)),
    [categories],
  )
  return useMemo(() => searchable && findPrayers(searchable, words, hidden), [searchable, words, hidden])
}

/** Moves the focus between the field and the results. */
function moveFocus(event: KeyboardEvent, content: HTMLElement | null, step: number): void {
  const stops = [...(content?.querySelectorAll<HTMLElement>('input, ul a') ?? [])]
  const current = stops.findIndex((stop) => stop === event.target)
  const next = stops[current + step]
  if (current < 0 || !next) return
  event.preventDefault()
  next.focus()
}

/** Announces how many prayers were found, once the user has stopped typing. */
function ResultCount({ results }: { results: SearchResults | null }) {
  const [announced, setAnnounced] = useState('')
  const count = results ? results.open.length + results.answered.length : null
  const text = count === null ? '' : `${count === 0 ? 'No prayers' : countText(count, 'prayer')} found`
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(text), ANNOUNCE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p role="status" className="sr-only">
      {announced}
    </p>
  )
}

interface SearchContentProps {
  prayers: ListState<Prayer>
  categories: readonly Category[]
  query: string
  words: readonly string[]
  /** Null until prayers can be searched. */
  results: SearchResults | null
}

/** The results, or why there are none. */
function SearchContent({ prayers, categories, query, words, results }: SearchContentProps) {
  const today = useToday()
  if (!prayers.rows) return <MissingRows of={[prayers]} what="prayers" skeleton={<SearchSkeleton />} />
  if (prayers.rows.length === 0)
    return (
      <Message title="No prayers yet" text="What you add to your categories can be found here.">
        <Link href={DASHBOARD} asChild>
          <ButtonLink>Go to your prayers</ButtonLink>
        </Link>
      </Message>
    )
  if (words.length === 0)
    return (
      <Message text="Find a prayer by any words in its name, note, updates or answer. Answered prayers and hidden categories are searched too." />
    )
  if (!results) return null
  if (results.open.length + results.answered.length === 0)
    return prayers.complete ? (
      <Message
        title="No prayers found"
        text={
          <>
            Nothing matches “<bdi>{query.trim()}</bdi>”. Try fewer words, or only their first letters.
          </>
        }
      />
    ) : (
      <SearchSkeleton />
    )
  const list = { categories, words, today }
  return (
    <div className="flex flex-col gap-3 sm:gap-5">
      <ResultList title="Open" found={results.open} {...list} />
      <ResultList title="Answered" found={results.answered} {...list} />
      {!prayers.complete && <SearchSkeleton />}
    </div>
  )
}

interface MessageProps {
  title?: string
  text: ReactNode
  children?: ReactNode
}

/** What is shown instead of results. */
function Message({ title, text, children }: MessageProps) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-8 text-center">
      <div className="max-w-form">
        {title !== undefined && <p className="font-serif text-lg text-ink-soft">{title}</p>}
        <p className="text-sm text-ink-faint wrap-anywhere sm:text-base">{text}</p>
      </div>
      {children}
    </div>
  )
}

/** Fades in after a delay, so that fast responses do not flicker. */
function SearchSkeleton() {
  return (
    <Card className="appear-late flex flex-col gap-4 px-4 py-4">
      <p role="status" className="text-ink-soft">
        Loading prayers...
      </p>
      <Skeleton className="h-5 w-2/5" />
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="h-5 w-1/3" />
    </Card>
  )
}
