import { useEffect, useState } from 'react'
import type { Prayer } from '#web/data/prayers.ts'

/** A card first shows this many of its open prayers, and as many of its resolved ones. */
export const ROWS_PER_CARD = 25

/** How long a prayer that was just resolved stays in place, in milliseconds, when resolved prayers are hidden. */
const JUST_RESOLVED_MS = 1100

/** If more prayers than this appear at once, they were not added one by one, and are not kept in view. */
const MAX_KEPT_ARRIVALS = 12

const NONE: ReadonlySet<string> = new Set()

/** The prayers of a card, and which of them the card shows. */
export interface CardView {
  /** All prayers of the card, newest first. */
  prayers: readonly Prayer[]
  /** Whether all pages of the list have been received. */
  complete: boolean
  resolvedShown: boolean
  allOpenShown: boolean
  allResolvedShown: boolean
  /** Ids of the prayers that were resolved a moment ago. They stay even if resolved prayers are hidden. */
  justResolved: ReadonlySet<string>
  /**
   * Ids of prayers that are shown although they are not among the first: no row disappears because another one was
   * added, and a prayer that was just resolved, reopened or moved into the card can be seen.
   */
  kept: ReadonlySet<string>
}

export function initialView(prayers: readonly Prayer[], complete: boolean): CardView {
  return {
    prayers,
    complete,
    resolvedShown: false,
    allOpenShown: false,
    allResolvedShown: false,
    justResolved: NONE,
    kept: NONE,
  }
}

/** The prayers that the card shows, in the order of the list. */
export function shownPrayers(view: CardView): readonly Prayer[] {
  const seen = { open: 0, resolved: 0 }
  return view.prayers.filter((prayer) => {
    const { id, resolved } = prayer
    const position = resolved ? (seen.resolved += 1) : (seen.open += 1)
    if (resolved && !view.resolvedShown) return view.justResolved.has(id)
    const allShown = resolved ? view.allResolvedShown : view.allOpenShown
    return allShown || position <= ROWS_PER_CARD || view.kept.has(id)
  })
}

/** The view after the prayers have changed, here or on another device. */
export function withPrayers(view: CardView, prayers: readonly Prayer[], complete: boolean): CardView {
  const before = new Map(view.prayers.map((prayer) => [prayer.id, prayer]))
  const changed = prayers.filter((prayer) => before.get(prayer.id)?.resolved !== prayer.resolved)
  const resolvedNow = changed.filter((prayer) => prayer.resolved && before.has(prayer.id)).map(({ id }) => id)
  const keptArrivals = view.complete && changed.length <= MAX_KEPT_ARRIVALS ? changed : []
  return {
    ...view,
    prayers,
    complete,
    resolvedShown: view.resolvedShown && prayers.some((prayer) => prayer.resolved),
    justResolved:
      resolvedNow.length > 0 ? new Set([...view.justResolved, ...resolvedNow]) : view.justResolved,
    kept: new Set([...shownPrayers(view), ...keptArrivals].map(({ id }) => id)),
  }
}

/**
 * The state of a card: what it shows of its prayers. Resolving another prayer prolongs the time for all that were just
 * resolved, so that no row moves while the user goes through the list.
 */
export function useCardView(prayers: readonly Prayer[], complete: boolean) {
  const [state, setState] = useState(() => initialView(prayers, complete))
  let view = state
  if (view.prayers !== prayers || view.complete !== complete) {
    view = withPrayers(view, prayers, complete)
    setState(view)
  }

  const { justResolved } = view
  useEffect(() => {
    if (justResolved.size === 0) return undefined
    const timer = setTimeout(
      () => setState((current) => ({ ...current, justResolved: NONE })),
      JUST_RESOLVED_MS,
    )
    return () => clearTimeout(timer)
  }, [justResolved])

  const update = (change: Partial<Pick<CardView, 'resolvedShown' | 'allOpenShown' | 'allResolvedShown'>>) =>
    setState((current) => ({ ...current, ...change }))
  return { view, update }
}
