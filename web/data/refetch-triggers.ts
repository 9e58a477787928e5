import { focusManager, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** A window that was not used for less than this, in milliseconds, is not fetched again when it gets the focus. */
const MIN_ABSENCE_MS = 5_000
const CHANNEL_NAME = 'intercede-lists'

let channel: BroadcastChannel | null = null

/**
 * Lists are fetched again when the page becomes visible, and when its window gets the focus after a while: it may have
 * been visible beside another window, or the user may have added a prayer on another device.
 */
export function refetchOnFocus(): void {
  focusManager.setEventListener((onFocus) => {
    let blurredAt = Infinity
    const listeners = new AbortController()
    const { signal } = listeners
    document.addEventListener('visibilitychange', () => onFocus(), { signal })
    window.addEventListener('blur', () => (blurredAt = Date.now()), { signal })
    window.addEventListener(
      'focus',
      () => {
        if (Date.now() - blurredAt >= MIN_ABSENCE_MS) onFocus()
        blurredAt = Infinity
      },
      { signal },
    )
    return () => listeners.abort()
  })
}

/** Notifies this browser's other tabs that a list has changed. Only its key is sent, never a row. */
export function notifyOtherTabs(key: QueryKey): void {
  openChannel()?.postMessage(key)
}

/**
 * Fetches the lists that another tab has changed: immediately if they are shown, otherwise the next time they are.
 *
 * @returns a function that stops listening
 */
export function refetchOnChangeInOtherTabs(client: QueryClient): () => void {
  const onMessage = ({ data: key }: MessageEvent<unknown>) => {
    if (!Array.isArray(key)) return
    // A hidden tab fetches when it becomes visible.
    const refetchType = document.visibilityState === 'visible' ? 'active' : 'none'
    void client.invalidateQueries({ queryKey: key, exact: true, refetchType })
  }
  const listenedTo = openChannel()
  listenedTo?.addEventListener('message', onMessage)
  return () => listenedTo?.removeEventListener('message', onMessage)
}

function openChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null
  channel ??= new BroadcastChannel(CHANNEL_NAME)
  return channel
}
