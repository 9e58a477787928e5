import { isRecord } from '#shared/is-record.ts'

/** In the state of a history entry: where in the window the link was that was followed, in pixels. */
const LINK_TOP = 'linkTop'

/** How many frames a list may take to render what is near the window. */
const MAX_FRAMES = 30

/** Keeps where a link is, with the entry of the history: call it before the link is followed. */
export function keepLinkPosition(path: string): void {
  const link = findLink(path)
  if (link) history.replaceState({ ...history.state, [LINK_TOP]: link.getBoundingClientRect().top }, '')
}

/**
 * After "back", focuses the link to the page that was left, and scrolls it to where it was: the browser restores the scroll
 * position before lists are rendered in full.
 *
 * @param path of the page that was left
 * @param otherwise called if the link is not there
 */
export function returnToLink(path: string, otherwise: () => void, frames = MAX_FRAMES): void {
  requestAnimationFrame(() => {
    const link = findLink(path)
    if (link) {
      const state: unknown = history.state
      const top = isRecord(state) ? state[LINK_TOP] : null
      link.focus({ preventScroll: true })
      if (typeof top === 'number')
        scrollBy({ top: link.getBoundingClientRect().top - top, behavior: 'instant' })
    } else if (frames > 0) returnToLink(path, otherwise, frames - 1)
    else otherwise()
  })
}

/** The first link on the screen to a page, with or without a fragment. */
function findLink(path: string): HTMLAnchorElement | undefined {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main a')]
  return links.find((link) => link.getAttribute('href')?.split('#')[0] === path)
}
