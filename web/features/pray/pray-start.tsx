import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Category } from '#web/data/categories.ts'
import type { Prayer } from '#web/data/prayers.ts'
import { useToday } from '#web/lib/days/days.ts'
import { DASHBOARD } from '#web/lib/navigation/routes.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ButtonLink } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { NUMBERS, prayedHere, type PrayItems, type Settings } from './pray-items.ts'
import { selectionText, selectPrayers } from './select-prayers.ts'

const INITIAL: Settings = { number: 10, categoryIds: null }

interface PrayStartProps {
  items: PrayItems
  prayers: readonly Prayer[]
  /** The visible ones. */
  categories: readonly Category[]
  /** Whether all prayers have been received. */
  complete: boolean
  /** The position in the unfinished session; null if there is none. */
  unfinished: { at: number; of: number } | null
  onContinue: () => void
  onBegin: (ids: readonly string[]) => void
}

/** Chooses the prayers of a session. */
export function PrayStart(props: PrayStartProps) {
  const { items, prayers, categories, complete, unfinished, onContinue, onBegin } = props
  const today = useToday()
  const settings = useStore(items.settings) ?? INITIAL
  const { number } = settings
  const chosen = useMemo(() => chosenCategories(settings, categories), [settings, categories])
  const { selected, ...counts } = useMemo(
    () =>
      selectPrayers(prayers, {
        categoryIds: new Set((chosen ?? categories).map(({ id }) => id)),
        number: number === 'all' ? Infinity : number,
        today,
        prayedHere: prayedHere(items),
      }),
    [prayers, chosen, categories, number, today, items],
  )
  const change = (changed: Partial<Settings>) => items.settings.set({ ...settings, ...changed })
  const isEmpty = selected.length === 0
  if (isEmpty && chosen === null && complete) return <NothingToPray isNew={prayers.length === 0} />
  return (
    <>
      {unfinished && (
        <Button variant="primary" className="w-full" onClick={onContinue}>
          Continue where you left off ({unfinished.at} of {unfinished.of})
        </Button>
      )}
      <Card className="flex flex-col gap-6 p-5 sm:p-7">
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-medium">How many</legend>
          <div className="flex flex-wrap gap-2">
            {NUMBERS.map((each) => (
              <label key={each} className="pray-choice">
                <input
                  type="radio"
                  name="number"
                  checked={each === number}
                  onChange={() => change({ number: each })}
                />
                {each === 'all' ? 'All' : each}
              </label>
            ))}
          </div>
        </fieldset>
        {categories.length > 1 && (
          <CategoryChoice
            categories={categories}
            chosen={chosen}
            onChange={(categoryIds) => change({ categoryIds })}
          />
        )}
        <div className="flex flex-col gap-4">
          <p role="status" className="text-ink-soft">
            {selectionText({ ...counts, selected: selected.length })}
          </p>
          <Button
            variant={unfinished ? 'secondary' : 'primary'}
            disabled={isEmpty}
            onClick={() => onBegin(selected.map(({ id }) => id))}
          >
            Begin
          </Button>
        </div>
      </Card>
    </>
  )
}

/** Null for all categories, and if none of those that were chosen is visible any more. */
function chosenCategories({ categoryIds }: Settings, categories: readonly Category[]): Category[] | null {
  const chosen = categories.filter(({ id }) => categoryIds?.includes(id))
  return chosen.length > 0 ? chosen : null
}

interface CategoryChoiceProps {
  categories: readonly Category[]
  chosen: readonly Category[] | null
  /** Called with null for all categories. */
  onChange: (categoryIds: string[] | null) => void
}

function CategoryChoice({ categories, chosen, onChange }: CategoryChoiceProps) {
  const ids = chosen?.map(({ id }) => id) ?? []
  const toggle = (id: string) => {
    const next = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]
    onChange(next.length > 0 ? next : null)
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 text-sm font-medium">Categories</legend>
      <div className="pray-categories flex flex-wrap gap-2">
        <label className="pray-choice">
          <input type="checkbox" checked={chosen === null} onChange={() => onChange(null)} />
          All categories
        </label>
        {categories.map(({ id, name }) => (
          <label key={id} className="pray-choice">
            <input type="checkbox" checked={ids.includes(id)} onChange={() => toggle(id)} />
            <bdi className="truncate">{name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function NothingToPray({ isNew }: { isNew: boolean }) {
  return (
    <Card className="flex flex-col items-start gap-4 p-5 sm:p-7">
      <p className="text-ink-soft">
        {isNew
          ? 'Add the people you want to pray for. They will come up here, one at a time.'
          : 'There is nothing to pray for at the moment: your prayers are answered, paused, hidden or planned for another day.'}
      </p>
      <Link href={DASHBOARD} asChild>
        <ButtonLink variant="primary">{isNew ? 'Add a prayer' : 'See your prayers'}</ButtonLink>
      </Link>
    </Card>
  )
}

/** The outline of the choice while the prayers are loading. */
export function PrayStartSkeleton() {
  return (
    <Card className="appear-late flex flex-col gap-6 p-5 sm:p-7">
      <p role="status" className="sr-only">
        Loading prayers...
      </p>
      <Skeleton className="h-5 w-32" />
      <Skeleton className="h-11" />
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="h-11" />
    </Card>
  )
}
