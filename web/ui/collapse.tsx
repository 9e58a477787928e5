import { type ComponentPropsWithRef, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { classNames } from './class-names.ts'

interface CollapseProps extends ComponentPropsWithRef<'li'> {
  ref: RefObject<HTMLLIElement | null>
  open: boolean
  /** Grows into place when it first appears with `open`. */
  appear?: boolean
  /** The last of the movement is over; the row may go. */
  onClosed?: () => void
}

/** An item of a list, around one element, that opens and closes in height. What is closed can neither be seen nor reached. */
export function Collapse({ ref, open, appear = false, onClosed, className, ...rest }: CollapseProps) {
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
  }, [ref, open, settledOpen])

  return (
    <li
      {...rest}
      ref={ref}
      className={classNames('collapse-rows', className)}
      data-open={open}
      data-appear={appear}
      data-moving={settledOpen === open ? undefined : ''}
      inert={!open}
    />
  )
}

/** Resolves when nothing moves any more: at once where there is no movement. */
async function movementOf(element: Element | null): Promise<void> {
  const animations = element && 'getAnimations' in element ? element.getAnimations() : []
  await Promise.allSettled(animations.map((animation) => animation.finished))
}
