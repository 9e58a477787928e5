import { PROFILE } from '#web/lib/navigation/routes.ts'
import {
  forgetExpectedReturn,
  hashParameters,
  isEmailedSession,
  isReturnExpected,
  isUnsolicitedSession,
} from './link-guard.ts'
import { SESSION_STORAGE_KEY } from './session-key.ts'

const UNSOLICITED = 'This link signs in to an account without being asked to. Please sign in here instead.'

/** Why an emailed link, or the return from X, did not work. */
export interface LinkFailure {
  description: string
  /** The auth service's error code, if there is one. */
  code: string | null
}

/** The session of an emailed link that confirms an address. */
export interface ConfirmationLink {
  kind: 'confirmation'
  accessToken: string
  refreshToken: string | null
}

/** What an emailed link, or the return from X, put into the URL. */
export type LinkResult =
  | { kind: 'none' }
  /** Permission to set a new password. */
  | {
      kind: 'recovery'
      link: 'recovery' | 'invitation'
      accessToken: string | null
      refreshToken: string | null
    }
  | ConfirmationLink
  /** The session of an emailed link that has changed an address. It signs nobody in. */
  | { kind: 'email-changed'; accessToken: string; refreshToken: string | null }
  /** One of the two links that change an address. */
  | { kind: 'email-half-confirmed' }
  | ({ kind: 'failure' } & LinkFailure)

/**
 * The URL this page was opened at. It is read once, before auth-js, which would treat a recovery as an ordinary sign-in.
 */
export const initialUrl = {
  path: location.pathname,
  /** Whether this URL has a session. auth-js signs in with it if `result` is none. */
  hasSession: hashParameters(location.hash).has('access_token'),
  result: guardedResult(),
}

/** Whether a page was opened with a link that changes an address. A failure does not say so, but where these links lead. */
export function isOfEmailChange({ path, result }: typeof initialUrl): boolean {
  if (result.kind === 'failure') return path === PROFILE
  return result.kind === 'email-changed' || result.kind === 'email-half-confirmed'
}

/** Removes the tokens and errors of a link from the address bar and the history, and accepts no second return from X. */
export function clearInitialUrl(): void {
  forgetExpectedReturn()
  if (initialUrl.result.kind === 'none') return
  const query = new URLSearchParams(location.search)
  for (const name of ['error', 'error_code', 'error_description', 'access_token', 'refresh_token']) {
    query.delete(name)
  }
  const search = query.size > 0 ? `?${query.toString()}` : ''
  history.replaceState(history.state, '', location.pathname + search)
}

function guardedResult(): LinkResult {
  const result = readLinkResult(location)
  const browser = {
    returnsFromX: isReturnExpected(),
    signedIn: localStorage.getItem(SESSION_STORAGE_KEY) !== null,
  }
  const mayNotSignIn = result.kind !== 'none' && result.kind !== 'confirmation'
  if (mayNotSignIn || !isUnsolicitedSession(location, browser)) return result
  return { kind: 'failure', description: UNSOLICITED, code: null }
}

/**
 * Reads hash and query of a URL. As in auth-js, errors take precedence, and the query over the hash; but not over the session of
 * an emailed link, because whoever requested the email may have chosen the query.
 */
export function readLinkResult(url: { hash: string; search: string }): LinkResult {
  const hash = hashParameters(url.hash)
  const accessToken = hash.get('access_token')
  const refreshToken = hash.get('refresh_token')
  if (accessToken !== null && isEmailedSession(hash)) {
    const kind = hash.get('type') === 'email_change' ? 'email-changed' : 'confirmation'
    return { kind, accessToken, refreshToken }
  }
  const query = new URLSearchParams(url.search)
  const either = (name: string) => query.get(name) ?? hash.get(name)
  const description = either('error_description') ?? either('error') ?? either('error_code')
  if (description !== null) return { kind: 'failure', description, code: either('error_code') }
  if (hash.has('message')) return { kind: 'email-half-confirmed' }
  const type = hash.get('type')
  if (type === 'invite') return { kind: 'recovery', link: 'invitation', accessToken, refreshToken }
  const isRecovery = type === 'recovery' || hash.has('recovery')
  return isRecovery ? { kind: 'recovery', link: 'recovery', accessToken, refreshToken } : { kind: 'none' }
}

/** Loads the page again when a link is pasted into the address bar of the open page. */
export function reloadOnPastedLink(): void {
  addEventListener('hashchange', () => {
    if (readLinkResult(location).kind !== 'none') location.reload()
  })
}
