import { useContext, useEffect, useLayoutEffect, useState } from 'react'
import type { Prayer } from '#web/data/prayers.ts'
import { type UserData, UserDataContext } from '#web/data/rows.ts'

/** A card first shows this many of its open prayers, and as many of its resolved ones. */
export const ROWS_PER_CARD = 25

/** How long a prayer that was just resolved stays among the open ones, in milliseconds. */
const JUST_RESOLVED_MS = 1500

const NONE: ReadonlySet<string> = new Set()

/** The prayers of a card, and which of them the card shows. */
export interface CardView {
  /** All prayers of the card, newest first. */
  prayers: readonly Prayer[]
  resolvedShown: boolean
  allOpenShown: boolean
  allResolvedShown: boolean
  /** Ids of the prayers that were resolved a moment ago. They stay in their place among the open ones. */
  justResolved: ReadonlySet<string>
  /**
   * Ids of the prayers that are shown even if they are not among the first: those that have been shown before, so that
   * no row disappears when another one is added or when it is resolved or reopened, and any that was moved here.
   */
  pinned: ReadonlySet<string>
}

/** What the user has chosen to see of a card. */
export type CardChoices = Pick<CardView, 'resolvedShown' | 'allOpenShown' | 'allResolvedShown'>

const INITIAL_CHOICES: CardChoices = { resolvedShown: false, allOpenShown: false, allResolvedShown: false }

/** The prayers that a card shows, each part in the order of the list. */
export interface ShownPrayers {
  open: readonly Prayer[]
  /** Below the open ones. */
  resolved: readonly Prayer[]
}

export function initialView(prayers: readonly Prayer[], choices = INITIAL_CHOICES): CardView {
  return { ...choices, prayers, justResolved: NONE, pinned: NONE }
}

export function shownPrayers(view: CardView): ShownPrayers {
  const { prayers, justResolved, pinned } = view
  const isAmongOpen = ({ id, resolved }: Prayer) => !resolved || justResolved.has(id)
  const first = (part: readonly Prayer[], allShown: boolean) =>
    allShown ? part : part.filter(({ id }, index) => index < ROWS_PER_CARD || pinned.has(id))
  return {
    open: first(prayers.filter(isAmongOpen), view.allOpenShown),
    resolved: view.resolvedShown
      ? first(
          prayers.filter((prayer) => !isAmongOpen(prayer)),
          view.allResolvedShown,
        )
      : [],
  }
}

/** The view after the prayers have changed, here or on another device. */
export function withPrayers(view: CardView, prayers: readonly Prayer[]): CardView {
  const before = new Map(view.prayers.map((prayer) => [prayer.id, prayer]))
  const resolvedNow = idsOf(
    prayers.filter(({ id, resolved }) => resolved && before.get(id)?.resolved === false),
  )
  const added = idsOf(prayers.filter(({ id }) => !before.has(id)))
  const shown = shownPrayers(view)
  return {
    ...view,
    prayers,
    resolvedShown: view.resolvedShown && prayers.some((prayer) => prayer.resolved),
    justResolved:
      resolvedNow.length > 0 ? new Set([...view.justResolved, ...resolvedNow]) : view.justResolved,
    // Several prayers at once are an import or the next page of the list, and not moved here by the user.
    pinned: new Set([
      ...view.pinned,
      ...idsOf(shown.open),
      ...idsOf(shown.resolved),
      ...(added.length === 1 ? added : []),
    ]),
  }
}

function idsOf(prayers: readonly Prayer[]): string[] {
  return prayers.map(({ id }) => id)
}

/** What is kept of the dashboard while the user is on another screen, until signing out. */
interface KeptView {
  /** By the id of the category, like the heights. */
  choices: Map<string, CardChoices>
  /** Of the rows of a card, in pixels. */
  heights: Map<string, number>
  /** Where the dashboard was scrolled to when it was left, in pixels. */
  scrollPosition: number
}

/** By the data of the user, which is closed by signing out. */
const keptViews = new WeakMap<UserData, KeptView>()

/** Null outside of the screens for signed-in users. */
export function useKeptView(): KeptView | null {
  const data = useContext(UserDataContext)
  if (data === null) return null
  const kept = keptViews.get(data) ?? { choices: new Map(), heights: new Map(), scrollPosition: 0 }
  keptViews.set(data, kept)
  return kept
}

/** Restores the scroll position when the user returns from another screen. */
export function useKeptScrollPosition(): void {
  const kept = useKeptView()
  useLayoutEffect(() => {
    if (!kept) return undefined
    // A new screen is scrolled to its top first, or to what the URL names.
    const frame = requestAnimationFrame(() => {
      if (kept.scrollPosition > 0 && location.hash === '')
        scrollTo({ top: kept.scrollPosition, behavior: 'instant' })
    })
    return () => {
      cancelAnimationFrame(frame)
      kept.scrollPosition = scrollY
    }
  }, [kept])
}

/**
 * The state of a card: what it shows of its prayers. Resolving another prayer prolongs the time for all that were just
 * resolved, so that no row moves while the user works through the list.
 */
export function useCardView(categoryId: string, prayers: readonly Prayer[]) {
  const kept = useKeptView()
  const [state, setState] = useState(() => initialView(prayers, kept?.choices.get(categoryId)))
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

  const { resolvedShown, allOpenShown, allResolvedShown } = view
  useEffect(() => {
    kept?.choices.set(categoryId, { resolvedShown, allOpenShown, allResolvedShown })
  }, [kept, categoryId, resolvedShown, allOpenShown, allResolvedShown])

  const changeView = (change: Partial<CardChoices>) => setState((current) => ({ ...current, ...change }))
  return { view, changeView }
}
