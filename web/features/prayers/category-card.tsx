import { type CSSProperties, memo, useId, useMemo, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { PlusIcon } from '#web/ui/icons.tsx'
import { CategoryPrayers } from './category-prayers.tsx'
import type { Prayer } from '#web/data/prayers.ts'
import type { PrayerCategory } from './prayer-category.ts'
import type { PrayerListProps } from './prayer-list.tsx'
import type { PrayerRowEvents } from './prayer-row.tsx'
import { countResolved } from './resolved-in-view.ts'

interface CategoryCardProps extends PrayerRowEvents, Pick<PrayerListProps, 'firstRows' | 'sparing'> {
  category: PrayerCategory
  prayers: readonly Prayer[]
  /** Whether all prayers are here. */
  complete: boolean
  onAdd: (category: PrayerCategory) => void
}

/** A category with its prayers. Drawn again only when something in it changes. */
export const CategoryCard = memo(function CategoryCard(props: CategoryCardProps) {
  const { category, prayers, complete, onAdd, ...list } = props
  const headingId = useId()
  const resolvedCount = useMemo(() => countResolved(prayers), [prayers])
  const resolved = useResolvedToggle(resolvedCount)
  return (
    <Card
      aria-labelledby={headingId}
      style={roomFor(prayers.length - resolvedCount)}
      className={classNames('flex flex-col gap-2 px-3 pt-4 pb-3 sm:px-4', list.sparing && OUT_OF_SIGHT)}
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
      <CategoryPrayers
        prayers={prayers}
        complete={complete}
        resolvedShown={resolved.shown}
        labelledBy={headingId}
        {...list}
      />
      {resolvedCount > 0 && (
        <Button
          variant="ghost"
          className="-ml-1.5 self-start text-sm"
          aria-describedby={headingId}
          onClick={resolved.toggle}
        >
          {resolved.shown ? 'Hide Resolved' : 'Show Resolved'} ({resolvedCount})
        </Button>
      )}
    </Card>
  )
}, sameCard)

/** Out of sight, a card is neither styled, laid out nor painted; it takes up about the room that its rows will. */
const OUT_OF_SIGHT =
  '[content-visibility:auto] [contain-intrinsic-height:auto_calc(var(--rows)*--spacing(13)+--spacing(32))]'

function roomFor(rows: number): CSSProperties & Record<'--rows', number> {
  return { '--rows': rows }
}

/** Resolved prayers are hidden until asked for, and again once there are none any more. */
function useResolvedToggle(count: number) {
  const [wanted, setWanted] = useState(false)
  if (wanted && count === 0) setWanted(false)
  return { shown: wanted && count > 0, toggle: () => setWanted(!wanted) }
}

/** The list of a card is made anew with every change anywhere; what counts is whether it holds the same prayers. */
function sameCard(before: CategoryCardProps, now: CategoryCardProps): boolean {
  const { category, prayers, ...rest } = before
  const { category: categoryNow, prayers: prayersNow, ...restNow } = now
  return (
    category.id === categoryNow.id &&
    category.name === categoryNow.name &&
    sameItems(prayers, prayersNow) &&
    sameItems(Object.values(rest), Object.values(restNow))
  )
}

/** Whether two lists hold the same items in the same places. */
function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => Object.is(item, b[index]))
}
