import { useEffect, useState } from 'react'
import type { Prayer } from '#web/data/prayers.ts'

/** A card first shows this many of its open prayers, and as many of its resolved ones. */
export const ROWS_PER_CARD = 25

/** How long a prayer that was just resolved stays in place, in milliseconds, when resolved prayers are hidden. */
const JUST_RESOLVED_MS = 1100

const NONE: ReadonlySet<string> = new Set()

/** The prayers of a card, and which of them the card shows. */
export interface CardView {
  /** All prayers of the card, newest first. */
  prayers: readonly Prayer[]
  resolvedShown: boolean
  allOpenShown: boolean
  allResolvedShown: boolean
  /** Ids of the prayers that were resolved a moment ago. They stay even if resolved prayers are hidden. */
  justResolved: ReadonlySet<string>
  /**
   * Ids of the prayers that are shown even if they are not among the first: those that have been shown before, so that
   * no row disappears when another one is added or when it is resolved or reopened, and any that was moved here.
   */
  pinned: ReadonlySet<string>
}

export function initialView(prayers: readonly Prayer[]): CardView {
  return {
    prayers,
    resolvedShown: false,
    allOpenShown: false,
    allResolvedShown: false,
    justResolved: NONE,
    pinned: NONE,
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
    return allShown || position <= ROWS_PER_CARD || view.pinned.has(id)
  })
}

/** The view after the prayers have changed, here or on another device. */
export function withPrayers(view: CardView, prayers: readonly Prayer[]): CardView {
  const before = new Map(view.prayers.map((prayer) => [prayer.id, prayer]))
  const resolvedNow = idsOf(
    prayers.filter(({ id, resolved }) => resolved && before.get(id)?.resolved === false),
  )
  const added = idsOf(prayers.filter(({ id }) => !before.has(id)))
  return {
    ...view,
    prayers,
    resolvedShown: view.resolvedShown && prayers.some((prayer) => prayer.resolved),
    justResolved:
      resolvedNow.length > 0 ? new Set([...view.justResolved, ...resolvedNow]) : view.justResolved,
    // Several prayers at once are an import or the next page of the list, and not moved here by the user.
    pinned: new Set([...view.pinned, ...idsOf(shownPrayers(view)), ...(added.length === 1 ? added : [])]),
  }
}

function idsOf(prayers: readonly Prayer[]): string[] {
  return prayers.map(({ id }) => id)
}

/**
 * The state of a card: what it shows of its prayers. Resolving another prayer prolongs the time for all that were just
 * resolved, so that no row moves while the user works through the list.
 */
export function useCardView(prayers: readonly Prayer[]) {
  const [state, setState] = useState(() => initialView(prayers))
  let view = state
  if (view.prayers !== prayers) {
    view = withPrayers(view, prayers)
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
