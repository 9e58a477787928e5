import { isRecord } from '#shared/is-record.ts'
import { NEW_PRAYER, SHARED_TEXT } from './app-shell.ts'
import { session } from './session.ts'
import { createStoredValue } from './store.ts'

/**
 * A new prayer that was requested from outside the app, by a shortcut of its icon or by sharing a text with it; null if
 * there is none. Kept for this tab, through sign-in, until the dialog for it is closed or the user signs out.
 */
export const requestedPrayer = createStoredValue('intercede-requested-prayer', isRequestedPrayer)

/** The text that was shared, which becomes the note; empty if there is none. */
export interface RequestedPrayer {
  note: string
}

function isRequestedPrayer(value: unknown): value is RequestedPrayer {
  return isRecord(value) && typeof value['note'] === 'string'
}

/** Takes the request that the page was opened with, if any, out of the URL and out of the service worker's hands. */
export async function takeRequestedPrayer(): Promise<void> {
  const query = new URLSearchParams(location.search)
  if (!query.has(NEW_PRAYER)) return
  query.delete(NEW_PRAYER)
  const search = query.size > 0 ? `?${query.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + search + location.hash)
  requestedPrayer.set({ note: await takeSharedText().catch(() => '') })
}

async function takeSharedText(): Promise<string> {
  if (!('caches' in globalThis)) return ''
  const shared = await caches.match(SHARED_TEXT)
  await caches.delete(SHARED_TEXT)
  return shared ? shared.text() : ''
}

/** Deletes the request, with a shared text that no page has taken, when the user signs out. */
export function discardRequestOnSignOut(): void {
  let before = session.get()
  session.subscribe(() => {
    const now = session.get()
    if (before.status === 'signed-in' && now.status === 'guest') {
      requestedPrayer.set(null)
      takeSharedText().catch(() => undefined)
    }
    before = now
  })
}
