import { GoTrueClient, isAuthApiError, isAuthSessionMissingError, type Session } from '@supabase/auth-js'
import { isRecord } from '#shared/is-record.ts'
import { config, SESSION_STORAGE_KEY } from '#web/lib/config.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { initialUrl } from './initial-url.ts'
import { newId } from '#web/lib/new-id.ts'
import { authStorage, endStoredSession, readStoredSession } from './stored-session.ts'
import { fetchRefresh, isStored, unlessRefreshWaits } from './token-refresh.ts'

/** An access token is refreshed this long before it expires, in milliseconds: as in auth-js. */
const EXPIRY_MARGIN_MS = 90_000
/** How long a token that replaced a rejected one is not replaced again, in milliseconds. */
const REPLACEMENT_INTERVAL_MS = 60_000

const connection = {
  url: `${config.url}/auth/v1`,
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
}

/**
 * The auth API. Sessions are refreshed automatically, and shared with other tabs through local storage. While a refresh
 * waits for the network, all methods wait that need the session: use the functions below, or `unlessRefreshWaits`.
 */
export const auth = new GoTrueClient({
  ...connection,
  fetch: authFetch,
  storage: authStorage,
  storageKey: SESSION_STORAGE_KEY,
  flowType: 'implicit',
  autoRefreshToken: true,
  persistSession: true,
  // Opening a recovery link doesn't sign in; submitting the new password does (sign-in/auth-requests.ts).
  detectSessionInUrl: initialUrl.result.kind === 'none',
})

/** Only refreshes of the stored session wait for the network; all other calls are made for a user who waits for them. */
function authFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input)
  if (url.endsWith('/logout?scope=global')) {
    // The tab may be closed right after signing out.
    return fetchWithTimeout(input, { ...init, keepalive: true })
  }
  const refreshToken = url.endsWith('/token?grant_type=refresh_token') ? refreshTokenIn(init) : null
  return refreshToken !== null && isStored(refreshToken)
    ? fetchRefresh(refreshToken, input, init)
    : fetchWithTimeout(input, init)
}

function refreshTokenIn(init?: RequestInit): string | null {
  if (typeof init?.body !== 'string') return null
  const body: unknown = JSON.parse(init.body)
  const token = isRecord(body) ? body['refresh_token'] : null
  return typeof token === 'string' ? token : null
}

/**
 * The session, with an access token that is valid for at least 90 s by this device's clock (it is refreshed if
 * necessary); null for guests. Rejects with a `NetworkUnavailableError` if it must be refreshed and the server can't be
 * reached, and with the `AuthError` if the server has ended the session.
 */
export async function currentAuthSession(): Promise<Session | null> {
  const stored = readStoredSession()
  if (stored === null || !expiresSoon(stored)) return stored
  const { data, error } = await unlessRefreshWaits(auth.getSession())
  if (!error) return data.session
  // Another tab may have refreshed the session at the same time: auth-js has then discarded its own refresh.
  const current = readStoredSession()
  if (current === null) throw error
  return current
}

function expiresSoon({ expires_at: expiresAt = 0 }: Session): boolean {
  return expiresAt * 1000 - Date.now() < EXPIRY_MARGIN_MS
}

/** The last access token that replaced a rejected one, and when. A monotonic time: clocks may be wrong. */
let replacement = { token: '', at: 0 }

/**
 * A session with which to repeat a request after the server has rejected its access token, for example because the clocks
 * of this device and of the server differ. Null if the session has ended, or if the new token was rejected too: then it is
 * not replaced again for a minute. Rejects with a `NetworkUnavailableError` if the server can't be reached.
 */
export async function sessionAfterRejection(rejectedToken: string): Promise<Session | null> {
  const stored = readStoredSession()
  // Another request, or another tab, may have refreshed it.
  if (stored === null || stored.access_token !== rejectedToken) return stored
  const isReplacement = rejectedToken === replacement.token
  if (isReplacement && performance.now() - replacement.at < REPLACEMENT_INTERVAL_MS) return null
  const { data, error } = await unlessRefreshWaits(auth.refreshSession())
  if (!error) {
    if (data.session) replacement = { token: data.session.access_token, at: performance.now() }
    return data.session
  }
  if (!isStored(stored.refresh_token)) return readStoredSession()
  // auth-js keeps a session whose access token seems valid by this device's clock, but this one is of no use.
  if (isAuthApiError(error) || isAuthSessionMissingError(error)) await endRejectedSession(stored)
  return null
}

async function endRejectedSession(session: Session): Promise<void> {
  const { error } = await auth.getUser(session.access_token)
  if (isStored(session.refresh_token)) {
    endStoredSession(error?.code === 'user_not_found' ? 'account-deleted' : 'expired')
  }
}

/**
 * Ends a session at the server, on every device. Call it after the session was removed from this browser: it leaves the
 * stored session alone.
 *
 * @returns the `AuthError`, or null
 */
export async function revokeSession(session: Session) {
  if (!expiresSoon(session)) return (await auth.admin.signOut(session.access_token, 'global')).error
  // An expired access token can't sign out.
  const client = memoryClient()
  const { error } = await client.refreshSession(session)
  return error ?? (await client.signOut({ scope: 'global' })).error
}

/** A client for a session that must not sign in this browser: kept in memory, for this use only. */
export function memoryClient(): GoTrueClient {
  return new GoTrueClient({
    ...connection,
    fetch: fetchWithTimeout,
    // Clients with the same key would share their session.
    storageKey: newId(),
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    skipAutoInitialize: true,
  })
}
