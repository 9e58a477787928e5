import { type ReactNode, useEffect } from 'react'
import { useDocumentTitle } from '#web/lib/navigation/document-title.ts'

interface ScreenProps {
  /** The document's title; null if the screen sets it. */
  title: string | null
  /** Changes with every navigation. */
  place: string
  children: ReactNode
}

/** Sets the document's title, and after navigation moves the focus to the heading, or to what the URL's fragment names. */
export function Screen({ title, place, children }: ScreenProps) {
  useDocumentTitle(title)
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
  const named = document.getElementById(location.hash.slice(1))
  moveFocus(named)
  if (!wentBack) {
    scrollTo({ top: 0, behavior: 'instant' })
    named?.scrollIntoView({ block: 'center', behavior: 'instant' })
  }
  wentBack = false
}

/** Focuses an element, or else the heading, unless a field of the screen has the focus. */
function moveFocus(element: HTMLElement | null): void {
  if (!element && document.activeElement?.matches('main input')) return
  const target = element ?? document.querySelector<HTMLElement>('main h1')
  if (target) target.tabIndex = -1
  target?.focus({ preventScroll: true })
}
