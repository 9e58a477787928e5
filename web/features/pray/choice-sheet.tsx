import type { Category } from '#web/data/categories.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceInput } from '#web/ui/choices.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NUMBERS, type Settings } from './pray-items.ts'

interface ChoiceSheetProps {
  /** The visible ones. */
  categories: readonly Category[]
  number: Settings['number']
  /** Null for all categories. */
  chosen: readonly Category[] | null
  /** What is chosen shows on the page at once. */
  onChange: (changed: Partial<Settings>) => void
  onClose: () => void
}

/** Chooses how many prayers today's page has, and from which categories. */
export function ChoiceSheet({ categories, number, chosen, onChange, onClose }: ChoiceSheetProps) {
  return (
    <Dialog
      title="Today's page"
      subtitle="What is planned for today comes on top of the number."
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
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
