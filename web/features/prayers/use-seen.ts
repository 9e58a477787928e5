import { type RefObject, useLayoutEffect, useState } from 'react'

const SUPPORTED = typeof CSS !== 'undefined' && CSS.supports('content-visibility', 'auto')

/**
 * Whether an element with `content-visibility: auto` has ever been in sight, or nearly, or had the focus. The browser
 * says so by itself; where it can't, and where `watching` is false, the element counts as seen.
 */
export function useSeen(ref: RefObject<HTMLElement | null>, watching: boolean): boolean {
  const [seen, setSeen] = useState(!SUPPORTED)
  const waiting = watching && !seen

  useLayoutEffect(() => {
    const element = ref.current
    if (!waiting || !element) return undefined
    const note = (event: Event) => {
      if (event instanceof ContentVisibilityAutoStateChangeEvent && !event.skipped) setSeen(true)
    }
    element.addEventListener('contentvisibilityautostatechange', note)
    return () => element.removeEventListener('contentvisibilityautostatechange', note)
  }, [ref, waiting])

  return !waiting
}
