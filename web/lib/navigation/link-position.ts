import { isRecord } from '#shared/is-record.ts'

/** In the state of a history entry: where in the window the link was that was followed, in pixels. */
const LINK_TOP = 'linkTop'

/** How many frames lists may take to render what is near the window, and how many without a movement show that they have. */
const MAX_FRAMES = 60
const STEADY_FRAMES = 8

/** With these, the user goes on: from then on, nothing moves by itself. */
const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/** Keeps where a link is, with the entry of the history: call it before the link is followed. */
export function keepLinkPosition(path: string): void {
  const link = findLink(path)
  if (link) history.replaceState({ ...history.state, [LINK_TOP]: link.getBoundingClientRect().top }, '')
}

/**
 * After "back" from a page, focuses the link to it, and keeps it where it was until nothing moves any more, or the user does
 * something: the browser restores the scroll position before lists are rendered in full, and then only knows about how high their
 * rows are. Does nothing if the entry of the history is not one from which a link was followed.
 *
 * @param path of the page that was left
 */
export function returnToLink(path: string): void {
  const state: unknown = history.state
  const top = isRecord(state) ? state[LINK_TOP] : null
  if (typeof top !== 'number') return
  const screen = location.pathname
  let isFocused = false
  let frames = 0
  let steadyFrames = 0
  const end = new AbortController()
  for (const type of INPUTS)
    addEventListener(type, () => end.abort(), { signal: end.signal, capture: true, passive: true })
  const followUp = () => {
    if (location.pathname !== screen) end.abort()
    if (end.signal.aborted) return
    const link = findLink(path)
    if (link && !isFocused) link.focus({ preventScroll: true })
    isFocused ||= link !== undefined
    const moved = link === undefined ? 0 : link.getBoundingClientRect().top - top
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: 'instant' })
    steadyFrames = link && Math.abs(moved) < 1 ? steadyFrames + 1 : 0
    frames += 1
    if (steadyFrames < STEADY_FRAMES && frames < MAX_FRAMES) requestAnimationFrame(followUp)
    else end.abort()
  }
  requestAnimationFrame(followUp)
}

/** The first link on the screen to a page, with or without a fragment. */
function findLink(path: string): HTMLAnchorElement | undefined {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')]
  return links.find((link) => link.getAttribute('href')?.split('#')[0] === path)
}
