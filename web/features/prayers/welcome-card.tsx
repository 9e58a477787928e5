import { Link } from 'wouter'
import { CATEGORY_NAME_MAX_LENGTH } from '#shared/limits.ts'
import type { Category } from '#web/data/categories.ts'
import { useCategoryActions } from '#web/data/category-actions.ts'
import { isSameName } from '#web/lib/fold.ts'
import { MANAGE_CATEGORIES } from '#web/lib/navigation/routes.ts'
import { newId } from '#web/lib/new-id.ts'
import { useAnnounce } from '#web/ui/announcements.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChoiceInput } from '#web/ui/choices.tsx'
import { ignoreSecondClick } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/fields.tsx'
import { restoreFocus } from '#web/ui/focus.ts'
import { PlusIcon } from '#web/ui/icons.tsx'
import { ButtonLink, TEXT_LINK } from '#web/ui/link.tsx'
import { type ReadField, useForm } from '#web/ui/use-form.ts'
import { SUGGESTIONS } from '#web/features/prayer-parts/first-steps.tsx'

interface WelcomeCardProps {
  productName: string
  /** The categories that exist, all of which are hidden. */
  hidden: readonly Category[]
  onAddSeveral: () => void
}

/** The first step for a user without visible categories. */
export function WelcomeCard({ productName, hidden, onAddSeveral }: WelcomeCardProps) {
  const add = useAddCategories(hidden)
  const form = useForm({
    check: (read) => ({ name: chosenNames(read).length === 0 ? 'Please enter a category name' : null }),
    save: (read) => add(chosenNames(read)),
  })
  return (
    <Card aria-labelledby="welcome" className="overflow-hidden text-center md:grid md:grid-cols-2">
      <div className="dawn-picture min-h-18 max-[22rem]:hidden sm:min-h-52" />
      <div className="flex flex-col gap-3 px-6 pt-7 pb-8 sm:px-10 md:py-10">
        <h2 id="welcome" className="text-2xl tracking-tight sm:text-3xl">
          Welcome to {productName}
        </h2>
        <p className="text-ink-soft">
          Prayers are kept in categories of your own, such as Family, Friends or Church. Create one, and add
          the people you pray for.
        </p>
        <Link href={MANAGE_CATEGORIES} asChild>
          <ButtonLink variant="primary" className="mt-2 self-center">
            <PlusIcon />
            Create Your First Category
          </ButtonLink>
        </Link>
        <p className="line-beside mt-2 flex items-center gap-4 text-sm text-ink-faint">Or begin with</p>
        <form {...form.props} className="grid grid-cols-[1fr_auto] items-start gap-3 text-start">
          <div
            role="group"
            aria-label="Suggested categories"
            className="col-span-2 flex flex-wrap justify-center gap-2"
          >
            {SUGGESTIONS.map((name) => (
              <ChoiceInput key={name} type="checkbox" name={name} value={name}>
                {name}
              </ChoiceInput>
            ))}
          </div>
          <TextField
            label="Another name"
            name="name"
            placeholder="Enter category name"
            autoComplete="off"
            maxLength={CATEGORY_NAME_MAX_LENGTH}
            error={form.errors.name}
          />
          {/* Beside the field, below its label. */}
          <Button type="submit" className="mt-6.75" loading={form.busy}>
            Add
          </Button>
        </form>
        {hidden.length === 0 ? (
          <Button variant="ghost" className="self-center" onClick={onAddSeveral}>
            Add several from a list
          </Button>
        ) : (
          <HiddenCategories count={hidden.length} />
        )}
      </div>
    </Card>
  )
}

/** The names that are chosen or entered, each of them once. */
function chosenNames(read: ReadField): string[] {
  const names = [...SUGGESTIONS, 'name'].map((field) => read(field).trim()).filter((name) => name !== '')
  return names.filter((name, index) => names.findIndex((other) => isSameName(other, name)) === index)
}

/** Returns a function that adds categories, or shows hidden ones with these names again. */
function useAddCategories(hidden: readonly Category[]) {
  const actions = useCategoryActions()
  const announce = useAnnounce()
  return async (names: readonly string[]) => {
    const chosen = names.map((name) => {
      const existing = hidden.find((category) => isSameName(category.name, name))
      return { id: existing?.id ?? newId(), name, isHidden: existing !== undefined }
    })
    // Their cards appear in place of this one.
    ignoreSecondClick()
    for (const { id, name, isHidden } of chosen) {
      const result = isHidden ? await actions.change(id, { is_visible: true }) : await actions.add(id, name)
      // The screen shows what went wrong.
      if (!result.success) return
    }
    const isAdded = chosen.some(({ isHidden }) => !isHidden)
    announce(
      `${chosen.length === 1 ? 'Category' : 'Categories'} ${isAdded ? 'added' : 'shown on the dashboard'}`,
    )
    restoreFocus(() => document.querySelector<HTMLElement>(`[data-category="${chosen[0]?.id}"] button`))
  }
}

function HiddenCategories({ count }: { count: number }) {
  return (
    <p className="text-sm text-ink-soft">
      {count === 1 ? 'One category is hidden.' : `${count} categories are hidden.`} You can show{' '}
      {count === 1 ? 'it' : 'them'} again under{' '}
      <Link href={MANAGE_CATEGORIES} className={TEXT_LINK}>
        Manage Categories
      </Link>
      .
    </p>
  )
}
