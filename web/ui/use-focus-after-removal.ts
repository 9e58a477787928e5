import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in a list when the row that has it is removed: it moves to the same control of the row that takes
 * its place, else of the last row, else to the first button of the card. The rows are the `<li>` elements in the card;
 * one that is still closing (see Collapse) counts as removed.
 *
 * @param keys the keys of the rows, in their order
 * @returns the card's focus handlers
 */
export function useFocusAfterRemoval(cardRef: RefObject<HTMLElement | null>, keys: readonly string[]) {
  const focused = useRef<{ key: string; control: number } | null>(null)
  const previousKeys = useRef(keys)

  useLayoutEffect(() => {
    const before = previousKeys.current
    previousKeys.current = keys
    const card = cardRef.current
    if (!card || !focused.current || keys.includes(focused.current.key)) return
    const { key, control } = focused.current
    focused.current = null
    if (!isFocusLost(card)) return
    // Several rows may be removed at once.
    const next = before.slice(before.indexOf(key) + 1).find((candidate) => keys.includes(candidate))
    const row = rowsIn(card).at(next === undefined ? -1 : keys.indexOf(next))
    const target = row ? controlsIn(row)[control] : card.querySelector('button')
    target?.focus()
  }, [cardRef, keys])

  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
    const row = target.closest('li')
    const key = row ? keys[rowsIn(currentTarget).indexOf(row)] : undefined
    const control = row ? controlsIn(row).findIndex((candidate) => candidate === target) : -1
    focused.current = key === undefined ? null : { key, control }
  }
  const onBlur = ({ target }: FocusEvent<HTMLElement>) => {
    // When another window gets the focus, the element stays the active one. React reports no blur for a removal.
    if (document.activeElement !== target) focused.current = null
  }
  return { onFocus, onBlur }
}

/** The browser moves the focus of a removed element to the body, but leaves it in a row that is closing for a while. */
function isFocusLost(card: HTMLElement): boolean {
  const active = document.activeElement
  if (!active || active === document.body) return true
  return card.contains(active) && active.closest('[inert]') !== null
}

function rowsIn(card: HTMLElement): HTMLElement[] {
  return [...card.querySelectorAll('li')].filter((row) => !row.querySelector(':scope > [inert]'))
}

/** Without buttons that only some rows have, such as the one that expands a long text. */
function controlsIn(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('button:not([aria-expanded]), input')]
}
