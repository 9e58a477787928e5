import { type RefObject, useLayoutEffect, useRef } from 'react'

/** A heading that receives the focus when it appears, because it is the beginning of another page of the session. */
export function useFocusedHeading(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo({ top: 0, behavior: 'instant' })
  }, [])
  return heading
}
