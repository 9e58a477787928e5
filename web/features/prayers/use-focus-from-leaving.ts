import { type RefObject, useLayoutEffect } from 'react'
import type { PresentRow } from '#web/ui/row-presence.tsx'

/**
 * When a row leaves that has the focus, the focus goes to the same control of the next row, else of the one before.
 * Where no row is left it goes to the first control of the surrounding section. It is never lost.
 */
export function useFocusFromLeaving<T>(
  listRef: RefObject<HTMLUListElement | null>,
  rows: readonly PresentRow<T>[],
): void {
  useLayoutEffect(() => {
    const items = [...(listRef.current?.children ?? [])]
    const index = items.findIndex((item) => item.contains(document.activeElement))
    const left = items[index]
    if (!left || rows[index]?.leaving !== true) return
    const control = buttonsIn(left).findIndex((button) => button === document.activeElement)
    const neighbour = items[nearestStaying(rows, index)]
    const section = listRef.current?.closest('section')
    const target = neighbour ? buttonsIn(neighbour)[control] : section && buttonsIn(section)[0]
    target?.focus()
  }, [listRef, rows])
}

function nearestStaying<T>(rows: readonly PresentRow<T>[], index: number): number {
  const after = rows.findIndex((row, position) => position > index && !row.leaving)
  return after === -1 ? rows.findLastIndex((row, position) => position < index && !row.leaving) : after
}

function buttonsIn(element: Element): HTMLButtonElement[] {
  return [...element.querySelectorAll('button')]
}
