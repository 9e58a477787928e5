import { useState } from 'react'
import type { Category } from '#web/data/categories.ts'
import { CategoryDaysField } from '#web/features/prayer-parts/weekdays-field.tsx'
import { weekdaysText } from '#web/lib/days/day-text.ts'
import { EVERY_DAY } from '#web/lib/days/days.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceInput } from '#web/ui/choices.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ChevronDownIcon } from '#web/ui/icons.tsx'
import { NUMBERS, type Settings } from './pray-items.ts'

/** The days that categories have got, by id. Null for every day. */
export type ChosenDays = ReadonlyMap<string, Category['pray_days']>

interface ChoiceSheetProps {
  /** The visible ones. */
  categories: readonly Category[]
  number: Settings['number']
  /** Null for all categories. */
  chosen: readonly Category[] | null
  /** What is chosen shows on the page at once. */
  onChange: (changed: Partial<Settings>) => void
  /** Called with the days to save, so that a category does not leave the page while its days are being chosen. */
  onClose: (days: ChosenDays) => void
}

/** Chooses how many prayers today's page has, from which categories, and on which days these are in turn. */
export function ChoiceSheet({ categories, number, chosen, onChange, onClose }: ChoiceSheetProps) {
  const [days, setDays] = useState<ChosenDays>(new Map())
  const close = () => {
    const changed = categories.filter(({ id, pray_days }) => days.has(id) && days.get(id) !== pray_days)
    onClose(new Map(changed.map(({ id }) => [id, days.get(id) ?? null])))
  }
  return (
    <Dialog
      title="Today's page"
      subtitle="Planned prayers are added to this number."
      onClose={close}
      footer={
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      }
    >
      <fieldset className="min-w-0">
        <legend className="mb-2 text-sm font-medium">How many</legend>
        <div className="flex flex-wrap gap-2">
          {NUMBERS.map((each) => (
            <ChoiceInput
              key={each}
              type="radio"
              name="number"
              checked={each === number}
              onChange={() => onChange({ number: each })}
            >
              {each === 'all' ? 'All' : each}
            </ChoiceInput>
          ))}
        </div>
      </fieldset>
      {categories.length > 1 && (
        <CategoryChoice
          categories={categories}
          chosen={chosen}
          onChange={(categoryIds) => onChange({ categoryIds })}
        />
      )}
      {categories.length > 0 && (
        <CategoryDays
          categories={categories.map((each) => {
            const chosenDays = days.get(each.id)
            return chosenDays === undefined ? each : { ...each, pray_days: chosenDays }
          })}
          onChange={(id, chosenDays) => setDays(new Map([...days, [id, chosenDays]]))}
        />
      )}
    </Dialog>
  )
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
      <div className="flex flex-wrap gap-2 pb-1">
        <ChoiceInput type="checkbox" checked={chosen === null} onChange={() => onChange(null)}>
          All categories
        </ChoiceInput>
        {categories.map(({ id, name }) => (
          <ChoiceInput key={id} type="checkbox" checked={ids.includes(id)} onChange={() => toggle(id)}>
            <bdi className="truncate">{name}</bdi>
          </ChoiceInput>
        ))}
      </div>
    </fieldset>
  )
}

interface CategoryDaysProps {
  categories: readonly Category[]
  onChange: (id: string, days: Category['pray_days']) => void
}

/** The days of each category, one of which can be opened. */
function CategoryDays({ categories, onChange }: CategoryDaysProps) {
  const [openId, setOpenId] = useState<string | null>(null)
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && show(currentTarget)}>
      <summary className="flex min-h-11 items-center justify-between gap-3 text-sm font-medium">
        Days of the categories
        <ChevronDownIcon className="text-ink-faint" />
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {categories.map(({ id, name, pray_days }) => {
          const isOpen = id === openId
          return (
            <li key={id}>
              <button
                type="button"
                aria-expanded={isOpen}
                className="flex min-h-11 w-full items-center gap-3 py-2 text-start"
                onClick={() => setOpenId(isOpen ? null : id)}
              >
                <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3">
                  <bdi className="wrap-anywhere">{name}</bdi>{' '}
                  <span className="text-sm text-ink-soft">{weekdaysText(pray_days ?? EVERY_DAY)}</span>
                </span>
                <ChevronDownIcon
                  className={classNames('text-ink-faint transition-transform', isOpen && 'rotate-180')}
                />
              </button>
              {isOpen && (
                <div ref={show} className="pb-3">
                  <CategoryDaysField days={pray_days} onChange={(days) => onChange(id, days)} />
                </div>
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
}

/** Scrolls to what has just been opened. */
function show(opened: Element | null): void {
  opened?.scrollIntoView({ block: 'nearest' })
}
