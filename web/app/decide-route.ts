import {
  ACCOUNT_DATA,
  ANSWERED,
  AUTH_CALLBACK,
  DASHBOARD,
  MANAGE_CATEGORIES,
  PRAY,
  PRIVACY,
  RESET_PASSWORD,
  SEARCH,
  SIGN_IN,
  TERMS,
} from '#web/lib/paths.ts'
import type { Recovery } from '#web/lib/recovery.ts'

export type ScreenName =
  | 'sign-in'
  /** One of the screens in `signed-in-screens.tsx`, chosen by path. */
  | 'signed-in'
  | 'reset-password'
  | 'callback'
  | 'terms'
  | 'privacy'
  | 'not-found'

type Access = 'guests' | 'signed-in' | 'everyone'

export type Decision = { show: ScreenName } | { redirect: string }

export interface Visit {
  path: string
  signedIn: boolean
  recovery: Recovery['stage']
  /** The path requested before sign-in, if any, perhaps with the hash of a search. */
  returnPath: string | null
}

const SCREENS = new Map<string, { show: ScreenName; for: Access }>([
  [SIGN_IN, { show: 'sign-in', for: 'guests' }],
  [DASHBOARD, { show: 'signed-in', for: 'signed-in' }],
  [PRAY, { show: 'signed-in', for: 'signed-in' }],
  [ANSWERED, { show: 'signed-in', for: 'signed-in' }],
  [SEARCH, { show: 'signed-in', for: 'signed-in' }],
  [MANAGE_CATEGORIES, { show: 'signed-in', for: 'signed-in' }],
  [ACCOUNT_DATA, { show: 'signed-in', for: 'signed-in' }],
  [RESET_PASSWORD, { show: 'reset-password', for: 'guests' }],
  [AUTH_CALLBACK, { show: 'callback', for: 'everyone' }],
  [TERMS, { show: 'terms', for: 'everyone' }],
  [PRIVACY, { show: 'privacy', for: 'everyone' }],
])

/** Whether a path is only for signed-in users. */
export function needsSession(path: string): boolean {
  return SCREENS.get(withoutTrailingSlash(path))?.for === 'signed-in'
}

/** Which screen to show, or which path to redirect to. */
export function decideRoute({ path, signedIn, recovery, returnPath }: Visit): Decision {
  const screen = SCREENS.get(withoutTrailingSlash(path)) ?? { show: 'not-found', for: 'everyone' }
  const isResetScreen = screen.show === 'reset-password'
  if (recovery !== 'none' && recovery !== 'failed') {
    // The new password must be set first, even if the link has already signed in.
    const mayShow = isResetScreen || (screen.for === 'everyone' && screen.show !== 'callback')
    return mayShow ? { show: screen.show } : { redirect: RESET_PASSWORD }
  }
  const isBeforeSignIn = screen.for === 'guests' || screen.show === 'callback'
  if (signedIn) return isBeforeSignIn ? { redirect: returnPath ?? DASHBOARD } : { show: screen.show }
  const isClosed = screen.for === 'signed-in' || (isResetScreen && recovery === 'none')
  return isClosed ? { redirect: SIGN_IN } : { show: screen.show }
}

/** The path as it is listed in `SCREENS`. */
export function withoutTrailingSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}
