import { type RefObject, startTransition, useEffect, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Whether an element is within one screen of the visible area, or has ever been. Its content can be rendered only then,
 * with a placeholder of about the same height until then.
 */
export function useNearViewport(ref: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(false)

  useLayoutEffect(() => {
    const element = ref.current
    if (near || !element) return undefined
    // The observer reports after the first paint. What is visible from the start appears in that paint, and so does what
    // would be visible if the placeholders above it were too high.
    const { top, bottom } = element.getBoundingClientRect()
    if (bottom >= -0.5 * innerHeight && top <= 1.5 * innerHeight) {
      setNear(true)
      return undefined
    }
    const observer = new IntersectionObserver(
      // There is time until it is visible: scrolling goes first.
      (entries) => startTransition(() => setNear(entries.some((entry) => entry.isIntersecting))),
      { rootMargin: '100% 0px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, near])

  return near
}

/** Whether the page is being printed. Renders synchronously, before the browser prints the page. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)

  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])

  return printing
}
