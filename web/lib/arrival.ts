import { isUnaskedSession, takeLeavingForX } from './link-guard.ts'
import { SESSION_STORAGE_KEY } from './session-storage-key.ts'
import { type LinkResult, readLinkResult } from './link-result.ts'

const UNASKED = 'This link signs in to an account without being asked to. Please sign in here instead.'

/**
 * What the address brought along when this page was opened. It is read once, before the auth library exists, which
 * would take a recovery for an ordinary sign-in; and it is taken off the address, where tokens have no business.
 */
export const arrival: LinkResult = takeFromAddress()

/** The path that this page was opened at. */
export const openedPath: string = location.pathname

function takeFromAddress(): LinkResult {
  const result = resultOfAddress()
  if (result.kind === 'none') return result
  const query = new URLSearchParams(location.search)
  for (const name of ['error', 'error_code', 'error_description']) query.delete(name)
  const search = query.size > 0 ? `?${query.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + search)
  return result
}

function resultOfAddress(): LinkResult {
  const result = readLinkResult(location)
  const here = { leftForX: takeLeavingForX(), signedIn: localStorage.getItem(SESSION_STORAGE_KEY) !== null }
  if (result.kind !== 'none' || !isUnaskedSession(location.hash, here)) return result
  return { kind: 'failure', code: null, description: UNASKED }
}

/** Opens the page anew when a link is pasted into the address of the page that is already open. */
export function followPastedLinks(): void {
  addEventListener('hashchange', () => {
    if (readLinkResult(location).kind !== 'none') location.reload()
  })
}
