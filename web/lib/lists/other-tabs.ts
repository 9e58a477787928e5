import type { QueryClient, QueryKey } from '@tanstack/react-query'

const CHANNEL_NAME = 'intercede-lists'
const following = new WeakSet<QueryClient>()
let channel: BroadcastChannel | null = null

/** Tells this browser's other tabs that the list of this key has changed. Only the key is sent, never a row. */
export function tellOtherTabs(key: QueryKey): void {
  openChannel()?.postMessage(key)
}

/** From now on, lists that another tab changes are fetched again here: at once if in view, else when next shown. */
export function followOtherTabs(client: QueryClient): void {
  if (following.has(client)) return
  following.add(client)
  openChannel()?.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (!Array.isArray(event.data)) return
    // A hidden tab fetches when it is looked at again.
    const refetchType = document.visibilityState === 'visible' ? 'active' : 'none'
    void client.invalidateQueries({ queryKey: event.data, exact: true, refetchType })
  })
}

function openChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel === 'undefined') return null
  channel ??= new BroadcastChannel(CHANNEL_NAME)
  return channel
}
