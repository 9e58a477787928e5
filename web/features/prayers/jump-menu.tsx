import type { MouseEvent } from 'react'
import type { NamedCategory } from '#web/data/categories.ts'
import { ArrowDownIcon } from '#web/ui/icons.tsx'
import { PILL } from '#web/ui/pill-link.tsx'
import { closeMenu, Menu, MenuItem } from '#web/ui/menu.tsx'

/** Scrolls to the card of a category. */
export function JumpMenu({ categories }: { categories: readonly NamedCategory[] }) {
  const jumpTo = ({ currentTarget }: MouseEvent<HTMLElement>, { id }: NamedCategory) => {
    // Closing the menu returns the focus to its button.
    closeMenu(currentTarget)
    const heading = document.querySelector<HTMLElement>(`[data-category="${id}"] h2`)
    heading?.focus({ preventScroll: true })
    heading?.scrollIntoView({ behavior: 'instant' })
  }
  return (
    <Menu
      label="Jump to a category"
      triggerClassName={`${PILL} max-sm:size-11 max-sm:justify-center max-sm:p-0`}
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
