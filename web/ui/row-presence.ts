import { useState } from 'react'

export interface PresentRow<T> {
  key: string
  item: T
  /** It came after the list was first shown. */
  entering: boolean
  /** It is gone from the list and only still on its way out. */
  leaving: boolean
}

/** More rows than this come or leave together at once: nobody can follow so many movements, and they cost time. */
const MOST_MOVING = 12

/**
 * The rows to show when `items` follows upon `previous`: the new items in their order, and each row that is no
 * longer among them kept as leaving, behind the neighbour that it stood behind.
 *
 * @param whole whether `previous` was all there was: rows of a list that is still arriving do not move into place
 */
export function mergeRows<T>(
  previous: readonly PresentRow<T>[],
  items: readonly T[],
  keyOf: (item: T) => string,
  whole = true,
): PresentRow<T>[] {
  const known = new Map(previous.map((row) => [row.key, row]))
  const keys = new Set(items.map(keyOf))
  const gone = previous.filter((row) => !keys.has(row.key))
  const moves = whole && keys.size - known.size <= MOST_MOVING
  const merged = items.map((item): PresentRow<T> => {
    const key = keyOf(item)
    const before = known.get(key)
    const isSame = before !== undefined && before.item === item && !before.leaving
    return isSame ? before : { key, item, entering: before?.entering ?? moves, leaving: false }
  })
  return gone.length === 0 || gone.length > MOST_MOVING ? merged : withLeaving(previous, keys, merged)
}

function withLeaving<T>(
  previous: readonly PresentRow<T>[],
  keys: ReadonlySet<string>,
  merged: PresentRow<T>[],
): PresentRow<T>[] {
  const behind = new Map<string | null, PresentRow<T>[]>()
  let neighbour: string | null = null
  for (const row of previous) {
    if (keys.has(row.key)) neighbour = row.key
    else
      behind.set(neighbour, [...(behind.get(neighbour) ?? []), row.leaving ? row : { ...row, leaving: true }])
  }
  return [...(behind.get(null) ?? []), ...merged.flatMap((row) => [row, ...(behind.get(row.key) ?? [])])]
}

/**
 * Rows of a list that come and go in view. Show each in a `Collapse` (`open={!row.leaving} appear={row.entering}
 * onClosed={() => forget(row.key)}`); rows that were there from the start do not move.
 *
 * @param whole whether `items` are all there are, and not the first of a list that is still arriving
 */
export function useRowPresence<T>(items: readonly T[], keyOf: (item: T) => string, whole = true) {
  const [shown, setShown] = useState(() => ({ items, whole, rows: firstRows(items, keyOf) }))
  let current = shown
  if (shown.items !== items || shown.whole !== whole) {
    current = { items, whole, rows: mergeRows(shown.rows, items, keyOf, shown.whole) }
    setShown(current)
  }
  const forget = (key: string) =>
    setShown((state) => ({ ...state, rows: state.rows.filter((row) => row.key !== key || !row.leaving) }))
  return { rows: current.rows, forget }
}

function firstRows<T>(items: readonly T[], keyOf: (item: T) => string): PresentRow<T>[] {
  return items.map((item) => ({ key: keyOf(item), item, entering: false, leaving: false }))
}
