import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

/**
 * Makes a change at once and, if it removes what has the focus, focuses what takes its place.
 *
 * @param find returns what takes its place after the change; the default is the heading of the screen
 * @param options as for `HTMLElement.focus`
 */
export function keepFocus(
  change: () => void,
  find?: () => HTMLElement | null | undefined,
  options?: FocusOptions,
): void {
  flushSync(change)
  restoreFocus(find, options)
}

/** Focuses what takes the place of what had the focus, if that is gone. The parameters are those of `keepFocus`. */
export function restoreFocus(find?: () => HTMLElement | null | undefined, options?: FocusOptions): void {
  if (!isFocusLost()) return
  const target = find?.() ?? document.querySelector<HTMLElement>('main h1')
  target?.focus(options)
}

/** The browser moves the focus of a removed element to the body, but leaves it in a row that is closing for a while. */
function isFocusLost(): boolean {
  const active = document.activeElement
  return !active || active === document.body || active.closest('[inert]') !== null
}

/**
 * Keeps the focus in a list when the row that has it is removed: it moves to the same control of the row that takes
 * its place, else of the last row, else to the first button of the card. The rows are the `<li>` elements in the card;
 * one that is still closing (see Collapse) counts as removed. A row keeps the focus while a dialog has it, which returns it.
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
    if (!isFocusLost()) return
    // Several rows may be removed at once.
    const next = before.slice(before.indexOf(key) + 1).find((candidate) => keys.includes(candidate))
    const row = rowsIn(card).at(next === undefined ? -1 : keys.indexOf(next))
    // What had the focus may be a link, which other rows need not have, and a row may have no control.
    const target = (row && controlsIn(row)[Math.max(control, 0)]) ?? card.querySelector('button')
    target?.focus()
  }, [cardRef, keys])

  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
    if (isInDialogOf(currentTarget, target)) return
    const row = target.closest('li')
    const key = row ? keys[rowsIn(currentTarget).indexOf(row)] : undefined
    const control = row ? controlsIn(row).findIndex((candidate) => candidate === target) : -1
    focused.current = key === undefined ? null : { key, control }
  }
  const onBlur = ({ currentTarget, target, relatedTarget }: FocusEvent<HTMLElement>) => {
    // When another window gets the focus, the element stays the active one. React reports no blur for a removal, and no focus
    // that a dialog returns when it is removed.
    const isElsewhere = document.activeElement !== target && !isInDialogOf(currentTarget, relatedTarget)
    if (isElsewhere && !isInDialogOf(currentTarget, target)) focused.current = null
  }
  return { onFocus, onBlur }
}

/** Whether an element is in a dialog that has been opened from the card: the card itself can be in one too. */
function isInDialogOf(card: HTMLElement, element: Element | null): boolean {
  const dialog = element?.closest('dialog') ?? null
  return dialog !== null && dialog !== card.closest('dialog')
}

function rowsIn(card: HTMLElement): HTMLElement[] {
  return [...card.querySelectorAll('li')].filter((row) => !row.querySelector(':scope > [inert]'))
}

/** Without buttons that only some rows have, such as the one that expands a long text. */
function controlsIn(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('button:not([aria-expanded]), input')]
}
