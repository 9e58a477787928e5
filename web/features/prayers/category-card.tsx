import { memo, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { NamedCategory } from '#web/data/categories.ts'
import type { Prayer } from '#web/data/prayers.ts'
import type { Day } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ChevronDownIcon, PlusIcon } from '#web/ui/icons.tsx'
import { keepFocus, useFocusAfterRemoval } from '#web/ui/focus.ts'
import { LightIcon } from '#web/ui/line-icon.tsx'
import { useNearViewport } from '#web/ui/viewport.ts'
import { ROWS_PER_CARD, shownPrayers, useCardView, useKeptView } from './card-view.ts'
import { findPrayer, PrayerList, type PrayerListProps } from './prayer-list.tsx'
import type { PrayerRowEvents } from './prayer-row.tsx'

export interface CategoryCardEvents extends PrayerRowEvents {
  onAdd: (category: NamedCategory) => void
}

interface CategoryCardProps extends CategoryCardEvents {
  category: NamedCategory
  prayers: readonly Prayer[]
  today: Day
  /** Whether all prayers have been received. */
  complete: boolean
  /** While printing, the card shows all rows, wherever it is. */
  printing: boolean
}

/** About the heights of a card's heading and of a row, in pixels, for cards that are not rendered yet. */
const HEADER_HEIGHT = 48
const ROW_HEIGHT = 60

/** How long a list that has become empty stays, in milliseconds, while its last row closes. */
const EMPTY_DELAY_MS = 500

/** A category with its prayers: the open ones, and below them the resolved ones. */
export const CategoryCard = memo(function CategoryCard(props: CategoryCardProps) {
  const { category, prayers, today, complete, printing, onAdd, ...events } = props
  // It is the fragment in links to the card.
  const headingId = category.id
  const cardRef = useRef<HTMLElement>(null)
  const isRendered = useNearViewport(cardRef) || printing
  const { view, changeView } = useCardView(category.id, prayers)
  const { open, resolved } = useMemo(
    () => shownPrayers(printing ? { ...view, allOpenShown: true, allResolvedShown: true } : view),
    [view, printing],
  )
  const keys = useMemo(
    () => [...open.map(({ id }) => id), ...resolved.map(({ id }) => `resolved ${id}`)],
    [open, resolved],
  )
  const focusHandlers = useFocusAfterRemoval(cardRef, keys)
  const resolvedCount = useMemo(() => prayers.filter((prayer) => prayer.resolved).length, [prayers])
  const list = { today, complete, printing, justResolved: view.justResolved, ...events }
  const keptHeight = useKeptView()?.heights.get(category.id)
  const rowsHeight = keptHeight ?? (open.length + resolved.length) * ROW_HEIGHT

  const showAll = (kind: 'open' | 'resolved') => {
    const isResolved = kind === 'resolved'
    const shown = isResolved ? resolved : open
    const firstHidden = prayers.find(
      (prayer) => prayer.resolved === isResolved && !shown.some(({ id }) => id === prayer.id),
    )
    keepFocus(
      () => changeView(isResolved ? { allResolvedShown: true } : { allOpenShown: true }),
      () => firstHidden && findPrayer(firstHidden),
    )
  }
  return (
    <Card
      ref={cardRef}
      aria-labelledby={headingId}
      data-category={category.id}
      className="skip-rendering-far pb-1 sm:px-1 print:mb-4 print:rounded-none print:border-0 print:p-0 print:shadow-none"
      style={{ containIntrinsicHeight: `auto ${HEADER_HEIGHT + rowsHeight}px` }}
      {...focusHandlers}
    >
      <CardHeader category={category} headingId={headingId} onAdd={onAdd} />
      <CardRows categoryId={category.id} height={rowsHeight} isRendered={isRendered}>
        <OpenPrayers
          prayers={open}
          isCardEmpty={prayers.length === 0}
          resolvedShown={view.resolvedShown}
          aria-labelledby={headingId}
          {...list}
        />
        <ShowAll
          kind="open"
          count={prayers.length - resolvedCount}
          shownCount={open.filter((prayer) => !prayer.resolved).length}
          describedBy={headingId}
          onClick={() => showAll('open')}
        />
        {resolvedCount > 0 && (
          <div
            className={classNames(
              'mx-2 mt-1 border-t border-line pt-1',
              !view.resolvedShown && 'print:hidden',
            )}
          >
            <ToggleResolved
              count={resolvedCount}
              shown={view.resolvedShown}
              describedBy={headingId}
              onClick={() => changeView({ resolvedShown: !view.resolvedShown })}
            />
            {view.resolvedShown && (
              <div className="-mx-2 mb-1 rounded-md bg-gold-soft/40 transition-opacity duration-calm starting:opacity-0 print:mx-0">
                <PrayerList prayers={resolved} aria-label="Resolved prayers" {...list} />
                <ShowAll
                  kind="resolved"
                  count={resolvedCount}
                  shownCount={resolved.length}
                  describedBy={headingId}
                  onClick={() => showAll('resolved')}
                />
              </div>
            )}
          </div>
        )}
      </CardRows>
    </Card>
  )
}, isSameCard)

interface CardHeaderProps {
  category: NamedCategory
  headingId: string
  onAdd: (category: NamedCategory) => void
}

/** Longer names take more lines than may cover a phone's screen. */
const STICKY_LENGTH = 40

/** The name of the category. On a phone it stays in view while the card is scrolled. */
const CardHeader = memo(function CardHeader({ category, headingId, onAdd }: CardHeaderProps) {
  return (
    <div
      className={classNames(
        'top-header z-10 flex items-start gap-1 rounded-t-lg bg-surface pt-0.5 pr-1 pl-3 sm:pt-1 print:static! print:pl-0',
        category.name.length <= STICKY_LENGTH && 'max-md:tall:sticky',
      )}
    >
      <h2
        id={headingId}
        dir="auto"
        tabIndex={-1}
        className="min-w-0 -scroll-mt-20 py-2 text-xl wrap-anywhere print:break-after-avoid print:py-1"
      >
        {category.name}
      </h2>
      {/* Where the text has no room beside the name, it wraps to a second line, which is cut off. */}
      <Button
        variant="ghost"
        className="ml-auto h-11 min-w-11 flex-wrap content-start justify-end gap-y-0 overflow-clip pr-2 pl-2 py-0! text-sm leading-10.5! whitespace-nowrap max-lg:shrink-9999 lg:shrink-0"
        aria-describedby={headingId}
        onClick={() => onAdd(category)}
      >
        <PlusIcon className="h-10.5" />
        Add Prayer
      </Button>
    </div>
  )
})

interface CardRowsProps {
  categoryId: string
  /** About their height, in pixels. */
  height: number
  /** Whether the rows are rendered; otherwise there is a placeholder of about their height. */
  isRendered: boolean
  children: ReactNode
}

/** The content of a card below its name. Its height is kept for the user's return from another screen. */
function CardRows({ categoryId, height, isRendered, children }: CardRowsProps) {
  const ref = useRef<HTMLDivElement>(null)
  const kept = useKeptView()
  useLayoutEffect(() => {
    const rows = ref.current
    if (!isRendered || !rows) return undefined
    return () => void kept?.heights.set(categoryId, rows.offsetHeight)
  }, [kept, categoryId, isRendered])

  if (!isRendered) return <div style={{ height }} />
  return <div ref={ref}>{children}</div>
}

interface OpenPrayersProps extends PrayerListProps {
  'aria-labelledby': string
  /** Whether the category has no prayers at all, as far as is known. */
  isCardEmpty: boolean
  resolvedShown: boolean
}

/** The open prayers of a card, or the reason why there are none. */
function OpenPrayers({ isCardEmpty, resolvedShown, ...list }: OpenPrayersProps) {
  const isEmptied = useEmptied(list.prayers.length === 0)
  if (!isEmptied) return <PrayerList {...list} />
  if (!isCardEmpty)
    return resolvedShown ? null : <NoRows title="All answered" text="Every prayer here has been resolved" />
  if (!list.complete) return <p className="px-3 py-3 text-sm text-ink-soft">Loading prayers...</p>
  return <NoRows title="No prayers yet" text="Add your first prayer and start making a difference" />
}

function NoRows({ title, text }: { title: string; text: string }) {
  return (
    <div className="px-4 pt-3 pb-5 text-center transition-opacity duration-calm starting:opacity-0">
      <p className="font-serif text-lg text-ink-soft">{title}</p>
      <p className="text-sm text-ink-faint">{text}</p>
    </div>
  )
}

interface ToggleResolvedProps {
  count: number
  shown: boolean
  /** Id of the card's heading. */
  describedBy: string
  onClick: () => void
}

function ToggleResolved({ count, shown, describedBy, onClick }: ToggleResolvedProps) {
  return (
    <Button
      variant="ghost"
      className="-ml-1 gap-3.75 pr-2 pl-2 text-sm text-gold"
      aria-expanded={shown}
      aria-describedby={describedBy}
      onClick={onClick}
    >
      <LightIcon />
      {shown ? 'Hide Resolved' : 'Show Resolved'} ({count})
      <ChevronDownIcon className={classNames('-ml-1.5 size-4 transition-transform', shown && 'rotate-180')} />
    </Button>
  )
}

interface ShowAllProps {
  kind: 'open' | 'resolved'
  /** How many prayers there are, and how many of them are shown. */
  count: number
  shownCount: number
  /** Id of the card's heading. */
  describedBy: string
  onClick: () => void
}

/** Shows the prayers beyond the first ones, and announces it. The live region has to exist before it has a text. */
function ShowAll({ kind, count, shownCount, describedBy, onClick }: ShowAllProps) {
  const [announcement, setAnnouncement] = useState('')
  if (count <= ROWS_PER_CARD) return null
  const resolved = kind === 'resolved' ? ' resolved' : ''
  const handleClick = () => {
    setAnnouncement(`All ${count}${resolved} prayers are shown`)
    onClick()
  }
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {shownCount < count && (
        <Button variant="ghost" className="ml-8 text-sm" aria-describedby={describedBy} onClick={handleClick}>
          Show all{resolved} ({count})
        </Button>
      )}
    </>
  )
}

/** Whether the card shows that it is empty: immediately if it was empty from the start, else after a delay. */
function useEmptied(isEmpty: boolean): boolean {
  const [emptied, setEmptied] = useState(isEmpty)
  if (!isEmpty && emptied) setEmptied(false)

  useEffect(() => {
    if (!isEmpty) return undefined
    const timer = setTimeout(() => setEmptied(true), EMPTY_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isEmpty])

  return isEmpty && emptied
}

/** Every change creates new arrays for all cards. A card renders again only if its own prayers have changed. */
function isSameCard(before: CategoryCardProps, after: CategoryCardProps): boolean {
  const { prayers: prayersBefore, ...propsBefore } = before
  const { prayers: prayersAfter, ...propsAfter } = after
  return (
    hasSameItems(prayersBefore, prayersAfter) &&
    hasSameItems(Object.values(propsBefore), Object.values(propsAfter))
  )
}

function hasSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => Object.is(item, b[index]))
}
