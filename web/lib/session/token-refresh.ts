import { type InferOutput, is, literal, number, object, string, union } from 'valibot'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { endStoredSession, readStoredSession, subscribeToStoredSession } from './stored-session.ts'

/** Seconds before each further attempt; the last one applies to all that follow. */
const BACK_OFF = [1, 2, 5, 10, 30, 60]
/** The longest time that a server can request with `Retry-After`, in seconds. */
const LONGEST_RETRY_AFTER = 300

/** The responses of the auth service: a session, or that it has rejected the old one. */
const newSession = object({
  access_token: string(),
  refresh_token: string(),
  expires_in: number(),
  user: object({}),
})
const REJECTED: ReadonlySet<number> = new Set([400, 401, 403])
/** Old versions report `invalid_grant` as `error`, without a code. */
const authError = union([
  object({ error_code: string() }),
  object({ code: string() }),
  object({ error: literal('invalid_grant') }),
])
/** A session that was ended on purpose gets another code: only one that the server has lost is unknown. */
const UNKNOWN = literal('refresh_token_not_found')
const unknownToken = union([object({ error_code: UNKNOWN }), object({ code: UNKNOWN })])

/** The session must be refreshed before the next request, but the server can't be reached. It can be retried later. */
export class NetworkUnavailableError extends Error {
  override name = 'NetworkUnavailableError'
}

/** Ends the pause before the next attempt; null if no refresh is waiting, or if the server asked for the pause. */
let retryNow: (() => void) | null = null
/** Whether the last attempt failed and the next one has not begun. */
let waiting = false
const failureListeners = new Set<() => void>()

/**
 * The `fetch` for refreshing the stored session. It resolves only with what the auth service itself responded: auth-js
 * would end the session after a 408, a 429 or the page of a captive portal. Anything else is retried until the network
 * is back.
 *
 * @param refreshToken the one in the request; when it is no longer the stored one, the refresh is abandoned
 */
export async function fetchRefresh(
  refreshToken: string,
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    if (!isStored(refreshToken)) return abandonedRefresh()
    const { response, isUnknown, retryAfter } = await attemptRefresh(input, init)
    // auth-js would end it as well, but as one that the server has ended.
    if (isUnknown && isStored(refreshToken)) endStoredSession('lost')
    if (response) return response
    await pause(refreshToken, BACK_OFF[Math.min(attempt, BACK_OFF.length - 1)] ?? 60, retryAfter)
  }
}

/** Whether this is the refresh token of the stored session. */
export function isStored(refreshToken: string): boolean {
  return readStoredSession()?.refresh_token === refreshToken
}

/**
 * The result of a call that may have to refresh the session. Rejects with a `NetworkUnavailableError`, instead of
 * waiting for the network, as soon as an attempt to refresh fails. A refresh that is waiting is attempted again at once.
 */
export function unlessRefreshWaits<T>(result: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const fail = () => {
      failureListeners.delete(fail)
      reject(new NetworkUnavailableError('The session could not be refreshed.'))
    }
    failureListeners.add(fail)
    result.then(resolve, reject).finally(() => failureListeners.delete(fail))
    if (retryNow) retryNow()
    else if (waiting) fail()
  })
}

/** Whether a refresh waits for the network. */
export function isRefreshWaiting(): boolean {
  return waiting
}

interface Attempt {
  /** The response of the auth service; null if there is none. */
  response: Response | null
  /** Whether it does not know the refresh token. */
  isUnknown: boolean
  /** For how many seconds the next attempt must wait at least. */
  retryAfter: number
}

async function attemptRefresh(input: RequestInfo | URL, init?: RequestInit): Promise<Attempt> {
  let retryAfter = 0
  const sentAt = Date.now()
  try {
    const response = await fetchWithTimeout(input, init)
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    if (seconds > 0) retryAfter = Math.min(seconds, LONGEST_RETRY_AFTER)
    const body: unknown = await response.clone().json()
    if (response.status === 200 && is(newSession, body))
      return { response: withOwnExpiryTime(body, sentAt), isUnknown: false, retryAfter }
    if (REJECTED.has(response.status) && is(authError, body))
      return { response, isUnknown: is(unknownToken, body), retryAfter }
  } catch {
    // No response, or one that is not JSON.
  }
  return { response: null, isUnknown: false, retryAfter }
}

/**
 * Replaces `expires_at`, a time by the server's clock, by one by this device's clock. If the clocks differ by years, the
 * token would otherwise seem to have expired, or to be valid for years.
 */
function withOwnExpiryTime(session: InferOutput<typeof newSession>, sentAt: number): Response {
  return Response.json({ ...session, expires_at: Math.floor(sentAt / 1000) + session.expires_in })
}

/**
 * The response to a refresh that is no longer needed: another tab has refreshed the session, or it has ended. auth-js
 * discards any session that arrives after the stored one has changed; an error could end the new session.
 */
function abandonedRefresh(): Response {
  return Response.json({ access_token: 'abandoned', refresh_token: 'abandoned', expires_in: 1, user: {} })
}

/**
 * Waits before the next attempt, but not after the network is back or the refresh was abandoned. Unless the server asked
 * for the pause, it also ends when the page becomes visible, and by `retryNow`.
 */
function pause(refreshToken: string, backOff: number, retryAfter: number): Promise<void> {
  return new Promise((resolve) => {
    const mayEndEarly = retryAfter === 0
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      unsubscribe()
      retryNow = null
      waiting = false
      resolve()
    }
    const timer = setTimeout(end, Math.max(backOff, retryAfter) * 1000)
    addEventListener('online', end)
    const unsubscribe = subscribeToStoredSession(() => {
      if (!isStored(refreshToken) || (mayEndEarly && document.visibilityState === 'visible')) end()
    })
    retryNow = mayEndEarly ? end : null
    waiting = true
    for (const fail of failureListeners) fail()
  })
}
