import {
  AuthApiError,
  type AuthError,
  AuthSessionMissingError,
  isAuthApiError,
  isAuthError,
  type Session,
} from '@supabase/auth-js'
import { is } from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import { authConnection, authErrorIn, readErrorResponse, requestAs } from './auth-connection.ts'
import { NetworkUnavailableError } from '#web/lib/error-message.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import {
  type EndReason,
  endStoredSession,
  readStoredSession,
  sessionSchema,
  writeStoredSession,
} from './stored-session.ts'

/** An access token is refreshed this long before it expires, in milliseconds: as in auth-js. */
const EXPIRY_MARGIN_MS = 90_000
/** How long a token that replaced a rejected one is not replaced again, in milliseconds. */
const REPLACEMENT_INTERVAL_MS = 60_000
/** The statuses with which the auth service rejects a refresh token. */
const REJECTED: ReadonlySet<number> = new Set([400, 401, 403])

/**
 * The session, with an access token that is valid for at least 90 s by this device's clock (it is refreshed if
 * necessary); null for guests. Rejects with a `NetworkUnavailableError` if it must be refreshed and the server can't be
 * reached, and with an `AuthError` if the session has ended.
 */
export async function currentAuthSession(): Promise<Session | null> {
  const stored = readStoredSession()
  return stored !== null && expiresSoon(stored) ? refresh(stored) : stored
}

/** Whether the access token has to be refreshed before it is used. */
export function expiresSoon({ expires_at: expiresAt = 0 }: Session): boolean {
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
  try {
    const session = await refresh(stored)
    replacement = { token: session.access_token, at: performance.now() }
    return session
  } catch (failure) {
    if (isAuthError(failure)) return null
    throw failure
  }
}

/** `global` ends all sessions of the user, `local` only this one, `others` all except this one. */
export type SignOutScope = 'global' | 'local' | 'others'

/**
 * Ends sessions at the server. If this one is among them, call it after it was removed from this browser. Rejects if it has to be
 * refreshed for that, and can't be.
 *
 * @returns the `AuthError`, or null
 */
export async function revokeSession(session: Session, scope: SignOutScope): Promise<AuthError | null> {
  // An expired access token can't sign out.
  const { access_token: token } = expiresSoon(session) ? await requestSession(session.refresh_token) : session
  // The tab may be closed right after signing out.
  const response = await requestAs(token, `logout?scope=${scope}`, { method: 'POST', keepalive: true })
  return response.ok ? null : authErrorIn(response)
}

/**
 * Replaces the stored session by a new one, with the user and the level as the server has them by now: an authenticator app may have
 * been removed. Null for guests. Rejects like `currentAuthSession`.
 */
export async function renewSession(): Promise<Session | null> {
  const stored = readStoredSession()
  return stored && refresh(stored)
}

let running: { token: string; result: Promise<Session> } | null = null

/** Replaces the stored session by a new one; once for all callers. */
function refresh(session: Session): Promise<Session> {
  const { refresh_token: token } = session
  if (running?.token === token) return running.result
  const result = refreshStored(session).finally(() => {
    if (running?.result === result) running = null
  })
  running = { token, result }
  return result
}

/** If another tab has refreshed the session meanwhile, or another user has signed in, that session counts. */
async function refreshStored(session: Session): Promise<Session> {
  const { refresh_token: token } = session
  try {
    const next = await requestSession(token)
    // As somebody else, the user would be shown nothing of what this device has, and would not be asked for the prayer key.
    if (next.user.id !== session.user.id) throw new NetworkUnavailableError(0)
    if (isStored(token)) writeStoredSession(JSON.stringify(next))
  } catch (failure) {
    const current = readStoredSession()
    if (current && current.refresh_token !== token) return current
    if (isAuthApiError(failure)) await endRejectedSession(session, failure)
    throw failure
  }
  const current = readStoredSession()
  if (current === null) throw new AuthSessionMissingError()
  return current
}

function isStored(refreshToken: string): boolean {
  return readStoredSession()?.refresh_token === refreshToken
}

async function endRejectedSession(session: Session, rejection: AuthError): Promise<void> {
  const reason = await reasonOf(rejection, session)
  if (isStored(session.refresh_token)) endStoredSession(reason)
}

async function reasonOf({ code }: AuthError, session: Session): Promise<EndReason> {
  // A session that was ended on purpose gets another code.
  if (code === 'refresh_token_not_found') return 'lost'
  // With an expired access token, the server would not say more.
  if (expiresSoon(session)) return 'expired'
  const response = await requestAs(session.access_token, 'user', {}).catch(() => null)
  const error = response && !response.ok ? await authErrorIn(response) : null
  return error?.code === 'user_not_found' ? 'account-deleted' : 'expired'
}

/**
 * Exchanges a refresh token for a new session. Only a rejection by the auth service itself is an `AuthApiError`; no response, a
 * rate limit, a fault or the page of a captive portal is a `NetworkUnavailableError`.
 */
async function requestSession(refreshToken: string): Promise<Session> {
  const sentAt = Date.now()
  const response = await postRefreshToken(refreshToken).catch(() => null)
  const body: unknown = await response?.json().catch(() => null)
  const session = response?.status === 200 ? sessionIn(body, sentAt) : null
  if (session) return session
  const rejection = response && REJECTED.has(response.status) ? rejectionIn(body, response.status) : null
  if (rejection) throw rejection
  throw new NetworkUnavailableError(Number(response?.headers.get('retry-after')) || 0)
}

function postRefreshToken(refreshToken: string): Promise<Response> {
  return fetchWithTimeout(`${authConnection.url}/token?grant_type=refresh_token`, {
    method: 'POST',
    headers: {
      ...authConnection.headers,
      'content-type': 'application/json;charset=UTF-8',
      'x-supabase-api-version': '2024-01-01',
    },
    body: JSON.stringify({ refresh_token: refreshToken }),
  })
}

/**
 * The session in a response; null if it is something else. `expires_at`, a time by the server's clock, is replaced by one by this
 * device's clock: if the clocks differ by years, the token would otherwise seem to have expired, or to be valid for years.
 *
 * @param sentAt when it was asked for, in milliseconds since 1970
 */
export function sessionIn(body: unknown, sentAt: number): Session | null {
  if (!isRecord(body) || typeof body['expires_in'] !== 'number') return null
  const session = { ...body, expires_at: Math.floor(sentAt / 1000) + body['expires_in'] }
  return is(sessionSchema, session) ? session : null
}

/** The auth service's error; null if the body is something else. Old versions report `invalid_grant` without a code. */
function rejectionIn(body: unknown, status: number): AuthApiError | null {
  const { code, message } = readErrorResponse(status, body)
  const isOldRejection = isRecord(body) && body['error'] === 'invalid_grant'
  return code !== '' || isOldRejection ? new AuthApiError(message, status, code) : null
}
