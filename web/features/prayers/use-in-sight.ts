import { type RefObject, useLayoutEffect, useState } from 'react'

const SUPPORTED = typeof CSS !== 'undefined' && CSS.supports('content-visibility', 'auto')

/**
 * Whether an element with `content-visibility: auto` is in sight, or nearly, or has the focus. The browser says so by
 * itself; where it can't, and where `watching` is false, the element counts as in sight.
 */
export function useInSight(ref: RefObject<HTMLElement | null>, watching: boolean): boolean {
  const [inSight, setInSight] = useState(false)

  useLayoutEffect(() => {
    const element = ref.current
    if (!watching || !element) return undefined
    const note = (event: Event) => {
      if (event instanceof ContentVisibilityAutoStateChangeEvent) setInSight(!event.skipped)
    }
    element.addEventListener('contentvisibilityautostatechange', note)
    return () => element.removeEventListener('contentvisibilityautostatechange', note)
  }, [ref, watching])

  return inSight || !watching || !SUPPORTED
}
