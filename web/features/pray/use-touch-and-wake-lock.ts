import { type PointerEvent, useEffect, useRef } from 'react'

/** The shortest swipe, in pixels. */
const SWIPE_DISTANCE = 60

/**
 * Handlers for an element that can be swiped to the left and to the right with a finger. The style `touch-action: pan-y` leaves
 * scrolling to the browser.
 */
export function useSwipe({ onLeft, onRight }: { onLeft: () => void; onRight: () => void }) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: ({ pointerType, isPrimary, clientX, clientY }: PointerEvent) => {
      start.current = pointerType === 'touch' && isPrimary ? { x: clientX, y: clientY } : null
    },
    onPointerCancel: () => {
      start.current = null
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      if (!start.current) return
      const right = clientX - start.current.x
      const down = clientY - start.current.y
      start.current = null
      if (Math.abs(right) < SWIPE_DISTANCE || Math.abs(right) < 2 * Math.abs(down)) return
      if (right < 0) onLeft()
      else onRight()
    },
  }
}

/** Keeps the screen on while the component is mounted, where the browser can do that. Hiding the page ends it. */
export function useWakeLock(): void {
  useEffect(() => {
    const { wakeLock }: Partial<Navigator> = navigator
    if (!wakeLock) return undefined
    let lock: WakeLockSentinel | null = null
    let isMounted = true
    const request = async () => {
      if (document.visibilityState !== 'visible') return
      lock = await wakeLock.request('screen')
      if (!isMounted) await lock.release()
    }
    // The browser may reject it, for example when the battery is low.
    const tryRequest = () => void request().catch(() => undefined)
    tryRequest()
    document.addEventListener('visibilitychange', tryRequest)
    return () => {
      isMounted = false
      document.removeEventListener('visibilitychange', tryRequest)
      void lock?.release().catch(() => undefined)
    }
  }, [])
}
