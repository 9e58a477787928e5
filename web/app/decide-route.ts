import type { Recovery } from '#web/lib/session/recovery.ts'
import type { SessionState } from '#web/lib/session/session.ts'
import {
  AUTH_CALLBACK,
  GUEST_PATHS,
  listedPath,
  PUBLIC_PATHS,
  RESET_PASSWORD,
  SIGN_IN,
  SIGNED_IN_PATHS,
} from '#web/lib/navigation/routes.ts'

/** The path of a screen, except for those in `signed-in-routes.tsx`, which share a layout, and those without a path. */
export type ScreenName =
  (typeof GUEST_PATHS)[number] | (typeof PUBLIC_PATHS)[number] | 'signed-in' | 'code' | 'not-found'

type Access = 'guests' | 'signed-in' | 'everyone'

export type Decision = { show: ScreenName } | { redirect: string }

export interface Visit {
  path: string
  status: SessionState['status']
  recovery: Recovery['stage']
  /** The path requested before sign-in, if any. */
  returnPath: string | null
  /** Where signed-in users land otherwise. */
  startPath: string
}

interface Route {
  show: ScreenName
  for: Access
}

const ROUTES: ReadonlyMap<string, Route> = new Map([
  ...GUEST_PATHS.map((path): [string, Route] => [path, { show: path, for: 'guests' }]),
  ...SIGNED_IN_PATHS.map((path): [string, Route] => [path, { show: 'signed-in', for: 'signed-in' }]),
  ...PUBLIC_PATHS.map((path): [string, Route] => [path, { show: path, for: 'everyone' }]),
])
const NOT_FOUND: Route = { show: 'not-found', for: 'everyone' }

/** Whether a path is only for signed-in users. */
export function needsSession(path: string): boolean {
  return routeOf(path)?.for === 'signed-in'
}

/** Which screen to show, or which path to redirect to. */
export function decideRoute({ path, status, recovery, returnPath, startPath }: Visit): Decision {
  const route = routeOf(path) ?? NOT_FOUND
  const isResetScreen = route.show === RESET_PASSWORD
  const isCallback = route.show === AUTH_CALLBACK
  if (recovery !== 'none' && recovery !== 'failed') {
    // The new password must be set first, even if the link has already signed in.
    const mayShow = isResetScreen || (route.for === 'everyone' && !isCallback)
    return mayShow ? { show: route.show } : { redirect: RESET_PASSWORD }
  }
  const isBeforeSignIn = route.for === 'guests' || isCallback
  // The screen that was asked for follows.
  if (status === 'needs-code' && (isBeforeSignIn || route.for === 'signed-in')) return { show: 'code' }
  if (status === 'signed-in')
    return isBeforeSignIn ? { redirect: returnPath ?? startPath } : { show: route.show }
  const isClosed = route.for === 'signed-in' || (isResetScreen && recovery === 'none')
  return isClosed ? { redirect: SIGN_IN } : { show: route.show }
}

function routeOf(path: string): Route | undefined {
  return ROUTES.get(listedPath(path))
}
