import type { MouseEvent } from 'react'
import { ArrowDownIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import type { CardCategory } from './category-card.tsx'

/** Scrolls to the card of a category. */
export function JumpMenu({ categories }: { categories: readonly CardCategory[] }) {
  const jumpTo = ({ currentTarget }: MouseEvent<HTMLElement>, { id }: CardCategory) => {
    // Closing the menu returns the focus to its button.
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    const heading = document.querySelector<HTMLElement>(`[data-category="${id}"] h2`)
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView({ behavior: 'instant' })
  }
  return (
    <Menu
      label="Jump to a category"
      triggerClassName="flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full border border-line bg-surface text-sm font-medium text-accent shadow-card transition-colors hover:border-line-strong hover:bg-sunken sm:px-4"
      trigger={
        <>
          <ArrowDownIcon />
          <span className="max-sm:hidden">Jump to</span>
        </>
      }
    >
      {categories.map((category) => (
        <MenuItem key={category.id} dir="auto" onClick={(event) => jumpTo(event, category)}>
          <span className="truncate">{category.name}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
