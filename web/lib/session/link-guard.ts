import { number } from 'valibot'
import { createStoredValue } from '#web/lib/storage/store.ts'

/** How long backends wait for the return from X, in milliseconds: long enough to look up a password there. */
const X_SIGN_IN_MAX_AGE = 15 * 60 * 1000
/** The types of emailed links that sign in. */
const EMAIL_LINK_TYPES: ReadonlySet<string> = new Set(['signup', 'magiclink', 'email_change'])

/** When this browser was last redirected to X, in milliseconds since 1970. In local storage, as X may redirect back to another tab. */
const redirectedAt = createStoredValue('intercede-redirected-to-x', number(), () => localStorage)

/** Call it before redirecting to X: the session in the URL to which X redirects back is then accepted. */
export function expectReturnFromX(): void {
  redirectedAt.set(Date.now())
}

/** Whether this browser was recently redirected to X. */
export function isReturnExpected(): boolean {
  const startedAt = redirectedAt.get()
  const age = Date.now() - (startedAt ?? 0)
  return startedAt !== null && age >= 0 && age < X_SIGN_IN_MAX_AGE
}

/** Call it after the return: a session in the URL is accepted once per redirect. */
export function forgetExpectedReturn(): void {
  redirectedAt.set(null)
}

/**
 * The parameters that the auth service has added to a URL. Whoever requests an email chooses where its link leads, perhaps to a
 * URL with a hash of its own, which the service leaves in front of them.
 */
export function hashParameters(hash: string): URLSearchParams {
  return new URLSearchParams(hash.slice(hash.lastIndexOf('#') + 1))
}

/** Whether parameters have the session of an emailed link that signs in. */
export function isEmailedSession(parameters: URLSearchParams): boolean {
  return parameters.has('access_token') && EMAIL_LINK_TYPES.has(parameters.get('type') ?? '')
}

/**
 * Whether a URL contains a session that must be ignored. Anyone can put their own session into a link; users who open it
 * would write their prayers into that person's account. So a session is accepted only on the return from X, and from
 * an emailed link if no one is signed in; and only in the hash, where the auth service puts it, though auth-js would also
 * take it from the query.
 */
export function isUnsolicitedSession(
  url: { hash: string; search: string },
  browser: { returnsFromX: boolean; signedIn: boolean },
): boolean {
  const parameters = hashParameters(url.hash)
  if (isEmailedSession(parameters)) return browser.signedIn
  if (new URLSearchParams(url.search).has('access_token')) return true
  return parameters.has('access_token') && !browser.returnsFromX
}
