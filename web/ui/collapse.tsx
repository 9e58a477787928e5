import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'

interface CollapseProps {
  open: boolean
  /** Grows into place when it first appears with `open`. */
  appear?: boolean
  /** The last of the movement is over; the row may go. */
  onClosed?: () => void
  /** One element. */
  children: ReactNode
}

/** Opens and closes in height. What is closed can neither be seen nor reached. */
export function Collapse({ open, appear = false, onClosed, children }: CollapseProps) {
  const ref = useRef<HTMLDivElement>(null)
  const [settledOpen, setSettledOpen] = useState(appear ? null : open)
  const settle = useEffectEvent((wasOpen: boolean) => {
    setSettledOpen(wasOpen)
    if (!wasOpen) onClosed?.()
  })

  useEffect(() => {
    // Asking what moves makes the browser compute styles: many rows that just are there don't ask.
    if (settledOpen === open) return undefined
    let current = true
    void movementOf(ref.current).then(() => {
      if (current) settle(open)
    })
    return () => {
      current = false
    }
  }, [open, settledOpen])

  return (
    <div
      ref={ref}
      className="collapse-rows"
      data-open={open}
      data-appear={appear}
      data-moving={settledOpen === open ? undefined : ''}
      inert={!open}
    >
      {children}
    </div>
  )
}

/** Resolves when nothing moves any more: at once where there is no movement. */
async function movementOf(element: Element | null): Promise<void> {
  const animations = element && 'getAnimations' in element ? element.getAnimations() : []
  await Promise.allSettled(animations.map((animation) => animation.finished))
}
