import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'

export interface PresentRow<T> {
  key: string
  item: T
  /** Added after the list was first shown. */
  entering: boolean
  /** Removed from the list, but still closing. */
  leaving: boolean
}

/** If more rows than this appear or disappear together, they do so without animation. */
const MAX_ANIMATED_ROWS = 12

/**
 * The rows to show when a list changes to `items`: its items in their order, and the removed ones, marked as leaving,
 * each behind the row it followed before.
 *
 * @param complete whether `previous` was the complete list: the rest of a list that was loading appears without animation
 */
export function mergeRows<T>(
  previous: readonly PresentRow<T>[],
  items: readonly T[],
  keyOf: (item: T) => string,
  complete = true,
): PresentRow<T>[] {
  const previousByKey = new Map(previous.map((row) => [row.key, row]))
  const keys = new Set(items.map(keyOf))
  const removed = previous.filter((row) => !keys.has(row.key))
  const animated = complete && keys.size - previousByKey.size <= MAX_ANIMATED_ROWS
  const merged = items.map((item): PresentRow<T> => {
    const key = keyOf(item)
    const before = previousByKey.get(key)
    const isSame = before !== undefined && before.item === item && !before.leaving
    return isSame ? before : { key, item, entering: before?.entering ?? animated, leaving: false }
  })
  return removed.length === 0 || removed.length > MAX_ANIMATED_ROWS
    ? merged
    : insertLeaving(previous, keys, merged)
}

function insertLeaving<T>(
  previous: readonly PresentRow<T>[],
  keys: ReadonlySet<string>,
  merged: PresentRow<T>[],
): PresentRow<T>[] {
  const leavingAfter = new Map<string | null, PresentRow<T>[]>()
  let neighbour: string | null = null
  for (const row of previous) {
    if (keys.has(row.key)) neighbour = row.key
    else {
      const leaving = row.leaving ? row : { ...row, leaving: true }
      leavingAfter.set(neighbour, [...(leavingAfter.get(neighbour) ?? []), leaving])
    }
  }
  return [
    ...(leavingAfter.get(null) ?? []),
    ...merged.flatMap((row) => [row, ...(leavingAfter.get(row.key) ?? [])]),
  ]
}

/**
 * Keeps removed rows of a list until they have closed. Show each row in a `Collapse` (`open={!row.leaving}
 * appear={row.entering} onClosed={() => forget(row.key)}`). Rows of the first render appear without animation.
 *
 * @param complete false while `items` are only the beginning of a list that is still loading
 */
export function useRowPresence<T>(items: readonly T[], keyOf: (item: T) => string, complete = true) {
  const [shown, setShown] = useState(() => ({ items, complete, rows: initialRows(items, keyOf) }))
  let current = shown
  if (shown.items !== items || shown.complete !== complete) {
    current = { items, complete, rows: mergeRows(shown.rows, items, keyOf, shown.complete) }
    setShown(current)
  }
  const forget = (key: string) =>
    setShown((state) => ({ ...state, rows: state.rows.filter((row) => row.key !== key || !row.leaving) }))
  return { rows: current.rows, forget }
}

function initialRows<T>(items: readonly T[], keyOf: (item: T) => string): PresentRow<T>[] {
  return items.map((item) => ({ key: keyOf(item), item, entering: false, leaving: false }))
}

interface CollapseProps {
  open: boolean
  /** Animates the first render too. */
  appear?: boolean
  /** Called when the closing animation has ended. */
  onClosed?: () => void
  /** A single element. */
  children: ReactNode
}

/** Animates opening and closing by height. Closed content is invisible and inert. */
export function Collapse({ open, appear = false, onClosed, children }: CollapseProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [settledOpen, setSettledOpen] = useState(appear ? null : open)
  const settle = useEffectEvent((nowOpen: boolean) => {
    setSettledOpen(nowOpen)
    if (!nowOpen) onClosed?.()
  })

  useEffect(() => {
    // getAnimations() forces a style computation, which would be slow for many resting rows.
    if (settledOpen === open) return undefined
    let current = true
    void animationsFinished(ref.current).then(() => {
      if (current) settle(open)
    })
    return () => {
      current = false
    }
  }, [open, settledOpen])

  return (
    <div
      ref={ref}
      className="collapse-rows"
      data-open={open}
      data-appear={appear}
      data-moving={settledOpen === open ? undefined : ''}
      inert={!open}
    >
      {children}
    </div>
  )
}

/** Resolves at once if nothing is animated, for example because the user prefers reduced motion. */
async function animationsFinished(element: Element | null): Promise<void> {
  const animations = element && 'getAnimations' in element ? element.getAnimations() : []
  await Promise.allSettled(animations.map((animation) => animation.finished))
}
