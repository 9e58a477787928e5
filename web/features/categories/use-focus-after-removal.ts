import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** Where the focus last was in the list: the row, its place, and the place of the control in it. */
type Place = { id: string; row: number; control: number }

/**
 * When the row that has the focus is removed, the focus goes to the same control of the row that takes its place, else of
 * the last one. Where no row is left it goes to the first control of the card. It is never lost.
 *
 * @returns what the card's `onFocus` is to be
 */
export function useFocusAfterRemoval(cardRef: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const place = useRef<Place | null>(null)

  useLayoutEffect(() => {
    const last = place.current
    if (!last || ids.includes(last.id) || document.activeElement !== document.body) return
    const rows = [...(cardRef.current?.querySelectorAll('li') ?? [])]
    const row = rows[Math.min(last.row, rows.length - 1)]
    const target = row ? controlsIn(row)[last.control] : cardRef.current?.querySelector('button')
    target?.focus()
  }, [cardRef, ids])

  return ({ target }: FocusEvent) => {
    const item = target.closest('li')
    const row = [...(item?.parentElement?.children ?? [])].findIndex((child) => child === item)
    const id = ids[row]
    if (!item || id === undefined) place.current = null
    else place.current = { id, row, control: controlsIn(item).findIndex((control) => control === target) }
  }
}

function controlsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>('button, input')]
}
