import { type ReactNode, useEffect } from 'react'
import { PRODUCT_NAME } from '#web/lib/config.ts'

interface ScreenProps {
  title: string
  /** Changes with every navigation. */
  place: string
  children: ReactNode
}

/** Sets the document's title, and after navigation moves the focus to the heading. */
export function Screen({ title, place, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT_NAME}`
  }, [title])
  useEffect(focusHeading, [place])
  return children
}

let isInitialScreen = true
let shownUrl = ''
let wentBack = false

/** Notices "back", after which the browser restores the scroll position. Call it before anything is rendered. */
export function noticeBack(): void {
  addEventListener('popstate', () => {
    // Closing a dialog is a step in the history too, but does not change the screen.
    wentBack = location.pathname + location.search !== shownUrl
  })
}

/**
 * Leaves the focus and scroll position of the initial screen, and the scroll position after "back", to the browser; and the
 * focus to the screen if it has a field that should have it.
 */
function focusHeading(): void {
  shownUrl = location.pathname + location.search
  if (isInitialScreen) {
    isInitialScreen = false
    return
  }
  if (!document.activeElement?.matches('main input')) {
    const heading = document.querySelector<HTMLElement>('main h1')
    if (heading) heading.tabIndex = -1
    heading?.focus({ preventScroll: true })
  }
  if (!wentBack) scrollTo({ top: 0, behavior: 'instant' })
  wentBack = false
}
