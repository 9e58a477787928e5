import { number } from 'valibot'
import { createStoredValue } from './store.ts'

/** In milliseconds: as long as backends wait for the return from X. Includes time to look up a password there. */
const X_SIGN_IN_MAX_AGE = 15 * 60 * 1000
/** The types of emailed links that sign in. */
const EMAIL_LINK_TYPES: ReadonlySet<string> = new Set(['signup', 'invite', 'magiclink', 'email_change'])

/** When this browser left for X, in milliseconds since 1970. In local storage, as the way back may end in another tab. */
const leftForXAt = createStoredValue('intercede-leaving-for-x', number(), () => localStorage)

/** Call it before leaving for X: the session in the URL that X leads back to will then be accepted. */
export function expectReturnFromX(): void {
  leftForXAt.set(Date.now())
}

/** Whether this browser recently left for X. Returns true once per departure. */
export function takeExpectedReturn(): boolean {
  const leftAt = leftForXAt.get()
  leftForXAt.set(null)
  const age = Date.now() - (leftAt ?? 0)
  return leftAt !== null && age >= 0 && age < X_SIGN_IN_MAX_AGE
}

/**
 * Whether a URL contains a session that must be ignored. Anyone can put their own session into a link; users who open it
 * would write their prayers into that person's account. So a session is accepted only on the return from X, and from
 * an emailed link if no one is signed in.
 */
export function isUnsolicitedSession(
  hash: string,
  browser: { returnsFromX: boolean; signedIn: boolean },
): boolean {
  const parameters = new URLSearchParams(hash.slice(1))
  if (!parameters.has('access_token') || browser.returnsFromX) return false
  return browser.signedIn || !EMAIL_LINK_TYPES.has(parameters.get('type') ?? '')
}
