import {
  AUTH_CALLBACK,
  DASHBOARD,
  MANAGE_CATEGORIES,
  ACCOUNT_DATA,
  PRIVACY,
  RESET_PASSWORD,
  SIGN_IN,
  TERMS,
} from '#web/lib/paths.ts'
import type { Recovery } from '#web/lib/recovery-stage.ts'

export type ScreenName =
  | 'sign-in'
  | 'dashboard'
  | 'manage-categories'
  | 'account-data'
  | 'reset-password'
  | 'callback'
  | 'terms'
  | 'privacy'
  | 'not-found'

export type Decision = { show: ScreenName } | { redirect: string }

export interface Visit {
  path: string
  signedIn: boolean
  recovery: Recovery['stage']
  /** The page that was asked for before signing in, if any. */
  deepLink: string | null
}

/** What every path shows, and to whom. */
const SCREENS = new Map<string, { show: ScreenName; for: 'guests' | 'signed-in' | 'everybody' }>([
  [SIGN_IN, { show: 'sign-in', for: 'guests' }],
  [DASHBOARD, { show: 'dashboard', for: 'signed-in' }],
  [MANAGE_CATEGORIES, { show: 'manage-categories', for: 'signed-in' }],
  [ACCOUNT_DATA, { show: 'account-data', for: 'signed-in' }],
  [RESET_PASSWORD, { show: 'reset-password', for: 'guests' }],
  [AUTH_CALLBACK, { show: 'callback', for: 'everybody' }],
  [TERMS, { show: 'terms', for: 'everybody' }],
  [PRIVACY, { show: 'privacy', for: 'everybody' }],
])

/** Whether only those signed in may open a path. */
export function needsSession(path: string): boolean {
  return SCREENS.get(plainPath(path))?.for === 'signed-in'
}

/** Which screen a visitor gets, or where they are sent instead. */
export function decideRoute({ path, signedIn, recovery, deepLink }: Visit): Decision {
  const screen = SCREENS.get(plainPath(path)) ?? { show: 'not-found', for: 'everybody' }
  const isResetScreen = screen.show === 'reset-password'
  if (recovery !== 'none' && recovery !== 'failed') {
    // A new password comes first, although the link may have signed its owner in already.
    const mayShow = isResetScreen || (screen.for === 'everybody' && screen.show !== 'callback')
    return mayShow ? { show: screen.show } : { redirect: RESET_PASSWORD }
  }
  const leavesGuestScreens = screen.for === 'guests' || screen.show === 'callback'
  if (signedIn) return leavesGuestScreens ? { redirect: deepLink ?? DASHBOARD } : { show: screen.show }
  const isClosed = screen.for === 'signed-in' || (isResetScreen && recovery === 'none')
  return isClosed ? { redirect: SIGN_IN } : { show: screen.show }
}

function plainPath(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}
