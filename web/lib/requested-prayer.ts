import { isRecord } from '#shared/is-record.ts'
import { NEW_PRAYER, SHARED_TEXT } from './app-shell.ts'
import { newId } from './new-id.ts'
import { deleteOnSignOut, session } from './session.ts'
import { createStoredValue } from './store.ts'

/**
 * A new prayer that was requested by a shortcut (of the app's icon, or a key) or by sharing a text with the app; null if
 * there is none. Kept for this tab, through sign-in, until the dialog for it is closed or the user signs out.
 */
export const requestedPrayer = createStoredValue('intercede-requested-prayer', isRequestedPrayer)

export interface RequestedPrayer {
  /** The id that the prayer will have, however often the page is loaded before it is saved. */
  id: string
  /** The text that was shared; empty if there is none. */
  note: string
  /** Whose it is; null until someone signs in. */
  userId: string | null
}

function isRequestedPrayer(value: unknown): value is RequestedPrayer {
  if (!isRecord(value)) return false
  const { id, note, userId } = value
  return typeof id === 'string' && typeof note === 'string' && (userId === null || typeof userId === 'string')
}

// This module is loaded with the screens for signed-in users, or earlier if a prayer is requested.
session.subscribe(bindToUser)
deleteOnSignOut(async () => {
  requestedPrayer.set(null)
  // A page that was closed too early has not taken it.
  await takeSharedText()
})

/** Takes the request that the page was opened with out of the URL and out of the service worker's hands. */
export async function takeRequestedPrayer(): Promise<void> {
  const query = new URLSearchParams(location.search)
  query.delete(NEW_PRAYER)
  const search = query.size > 0 ? `?${query.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + search + location.hash)
  requestedPrayer.set({ id: newId(), note: await takeSharedText().catch(() => ''), userId: null })
  bindToUser()
}

/** Requests a new prayer from any screen. */
export function requestPrayer(): void {
  requestedPrayer.set({ id: newId(), note: '', userId: null })
  bindToUser()
}

async function takeSharedText(): Promise<string> {
  if (!('caches' in globalThis)) return ''
  const shared = await caches.match(SHARED_TEXT)
  await caches.delete(SHARED_TEXT)
  return shared ? shared.text() : ''
}

/** Lets only the user see the request who made it. */
function bindToUser(): void {
  const state = session.get()
  const request = requestedPrayer.get()
  if (state.status !== 'signed-in' || request === null) return
  if (request.userId === null) requestedPrayer.set({ ...request, userId: state.user.id })
  else if (request.userId !== state.user.id) requestedPrayer.set(null)
}
