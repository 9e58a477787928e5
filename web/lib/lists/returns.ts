import { focusManager } from '@tanstack/react-query'

/** Who was away for less, in milliseconds, has only looked at something beside the page. */
const AWAY = 5_000

let noticing = false

/**
 * From now on, lists are fetched again when somebody returns: when the page is shown again, and when its window is used
 * again after it stood visibly beside another one, for example while a prayer was added on the telephone.
 */
export function noticeReturns(): void {
  if (noticing) return
  noticing = true
  focusManager.setEventListener((returned) => {
    let leftAt = Infinity
    const shown = () => returned()
    const left = () => (leftAt = Date.now())
    const used = () => {
      if (Date.now() - leftAt >= AWAY) returned()
      leftAt = Infinity
    }
    const leaving = new AbortController()
    const { signal } = leaving
    document.addEventListener('visibilitychange', shown, { signal })
    window.addEventListener('blur', left, { signal })
    window.addEventListener('focus', used, { signal })
    return () => leaving.abort()
  })
}
