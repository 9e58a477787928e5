import { memo, useEffect, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Category } from '#web/data/categories.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts'
import { useNearViewport } from '#web/ui/viewport.ts'
import { ROWS_PER_CARD, shownPrayers, useCardView } from './card-view.ts'
import { focusPrayer, PrayerList, type PrayerListProps } from './prayer-list.tsx'
import type { PrayerRowEvents } from './prayer-row.tsx'

export type CardCategory = Pick<Category, 'id' | 'name'>

export interface CategoryCardEvents extends PrayerRowEvents {
  onAdd: (category: CardCategory) => void
}

interface CategoryCardProps extends CategoryCardEvents {
  category: CardCategory
  prayers: readonly Prayer[]
  /** Whether all prayers have been received. */
  complete: boolean
  /** While printing, the card shows all rows, wherever it is. */
  printing: boolean
}

/** About the height of a row, in pixels, for cards whose rows are not rendered yet. */
const ROW_HEIGHT = 52

/** How long a list that has become empty stays, in milliseconds, while its last row closes. */
const EMPTY_DELAY_MS = 500

/** A category with its prayers. */
export const CategoryCard = memo(function CategoryCard(props: CategoryCardProps) {
  const { category, prayers, complete, printing, onAdd, ...events } = props
  const headingId = useId()
  const cardRef = useRef<HTMLElement>(null)
  const isNear = useNearViewport(cardRef)
  const { view, update } = useCardView(prayers)
  const shown = useMemo(
    () => shownPrayers(printing ? { ...view, allOpenShown: true, allResolvedShown: true } : view),
    [view, printing],
  )
  const shownIds = useMemo(() => shown.map(({ id }) => id), [shown])
  const focusHandlers = useFocusAfterRemoval(cardRef, shownIds)
  const resolvedCount = useMemo(() => prayers.filter(({ resolved }) => resolved).length, [prayers])

  const showAll = (resolved: boolean) => {
    const firstHidden = prayers.find(
      (prayer) => prayer.resolved === resolved && !shownIds.includes(prayer.id),
    )
    flushSync(() => update(resolved ? { allResolvedShown: true } : { allOpenShown: true }))
    if (firstHidden) focusPrayer(firstHidden)
  }
  return (
    <Card
      ref={cardRef}
      aria-labelledby={headingId}
      className="flex flex-col gap-2 px-3 pt-4 pb-3 sm:px-4"
      {...focusHandlers}
    >
      <div className="flex flex-wrap items-start gap-x-3 pl-2.5">
        <h2 id={headingId} dir="auto" className="min-w-0 py-2 pr-2.5 text-xl wrap-anywhere">
          {category.name}
        </h2>
        <Button
          variant="ghost"
          className="ml-auto"
          aria-describedby={headingId}
          onClick={() => onAdd(category)}
        >
          <PlusIcon />
          Add Prayer
        </Button>
      </div>
      <CardRows
        prayers={shown}
        complete={complete}
        isCardEmpty={prayers.length === 0}
        isRendered={isNear || printing}
        justResolved={view.justResolved}
        labelledBy={headingId}
        {...events}
      />
      <ShowAll
        kind="open"
        count={prayers.length - resolvedCount}
        shownCount={shown.filter(({ resolved }) => !resolved).length}
        describedBy={headingId}
        onClick={() => showAll(false)}
      />
      {resolvedCount > 0 && (
        <Button
          variant="ghost"
          className="-ml-1.5 self-start text-sm"
          aria-describedby={headingId}
          onClick={() => update({ resolvedShown: !view.resolvedShown })}
        >
          {view.resolvedShown ? 'Hide Resolved' : 'Show Resolved'} ({resolvedCount})
        </Button>
      )}
      {view.resolvedShown && (
        <ShowAll
          kind="resolved"
          count={resolvedCount}
          shownCount={shown.filter(({ resolved }) => resolved).length}
          describedBy={headingId}
          onClick={() => showAll(true)}
        />
      )}
    </Card>
  )
}, isSameCard)

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
        <Button
          variant="ghost"
          className="-ml-1.5 self-start text-sm"
          aria-describedby={describedBy}
          onClick={handleClick}
        >
          Show all{resolved} ({count})
        </Button>
      )}
    </>
  )
}

interface CardRowsProps extends PrayerListProps {
  /** Whether the category has no prayers at all, as far as is known. */
  isCardEmpty: boolean
  /** Whether the rows are rendered; otherwise there is a placeholder of about their height. */
  isRendered: boolean
}

/** The rows of a card, or the reason why there are none. */
function CardRows({ isCardEmpty, isRendered, ...list }: CardRowsProps) {
  const { prayers, complete } = list
  const isEmptied = useEmptied(prayers.length === 0)
  if (!isEmptied && !isRendered) return <div style={{ height: prayers.length * ROW_HEIGHT }} />
  if (!isEmptied) return <PrayerList {...list} />
  if (!isCardEmpty)
    return <NoRows title="All of these prayers are resolved" text="They are kept here, out of sight" />
  if (!complete) return <p className="px-2 py-4 text-sm text-ink-soft">Loading prayers...</p>
  return <NoRows title="No prayers yet" text="Add your first prayer and start making a difference" />
}

function NoRows({ title, text }: { title: string; text: string }) {
  return (
    <div className="px-4 py-8 text-center transition-opacity duration-calm starting:opacity-0">
      <p className="font-serif text-lg text-ink-soft">{title}</p>
      <p className="mt-1 text-sm text-ink-faint">{text}</p>
    </div>
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
