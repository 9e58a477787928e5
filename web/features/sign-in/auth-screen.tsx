import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import type { LinkFailure } from '#web/lib/session/initial-url.ts'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { whenIdle } from '#web/lib/loading/when-idle.ts'
import { notice } from '#web/lib/navigation/navigation-state.ts'
import { session } from '#web/lib/session/session.ts'
import type { CredentialsResult } from './auth-requests.ts'
import { CredentialsScreen } from './credentials-screen.tsx'

/** Few users need it, so it is a chunk of its own, which is loaded after the screen. */
const ResetRequestScreen = lazyComponent(
  async () => (await import('./reset-request-screen.tsx')).ResetRequestScreen,
)

/** The error code of a link that was used before, or is too old. */
const LINK_EXPIRED = 'otp_expired'

/** What the screen says about the session that has just ended. */
const END_MESSAGES = {
  'signed-out': null,
  'account-deleted': 'Your account has been deleted, with everything in it. Go in peace.',
  expired: 'You have been signed out. Sign in again to continue where you were.',
  'no-code': null,
  lost: 'You have been signed out, because the server does not know this session. Sign in again to continue where you were.',
}

export type AuthMode = 'login' | 'signup' | 'reset'

interface AuthScreenProps {
  /** What an emailed link or X reported. Shown, like `initialising`, until the mode changes or the form is submitted. */
  linkFailure: LinkFailure | null
  /** The error message from loading the session. */
  initialising: string | null
  /** Called once the screen is there and the browser is idle: a good time to preload the next one. The same function in every render. */
  onIdle: () => void
}

/** `/`: sign-in, sign-up and the request for a new password. The email address is kept when the mode changes. */
export function AuthScreen({ linkFailure, initialising, onIdle }: AuthScreenProps) {
  const mode = authMode(useSearch())
  const [email, setEmail] = useState('')
  const [initial, setInitial] = useState<InitialState>(() => ({
    mode,
    result: initialResult(linkFailure, initialising),
    message: initialMessage(),
  }))
  if (initial.mode !== mode) setInitial({ mode, result: null, message: null })
  // Shown here, so not again after signing in.
  useEffect(() => notice.set(null), [])
  useEffect(() => whenIdle(onIdle), [onIdle])
  useEffect(() => whenIdle(ResetRequestScreen.preload), [])
  if (mode === 'reset') return <ResetRequestScreen email={email} onEmail={setEmail} />
  return (
    <CredentialsScreen
      key={mode}
      mode={mode}
      email={email}
      onEmail={setEmail}
      initialResult={initial.result}
      message={initial.message}
    />
  )
}

interface InitialState {
  mode: AuthMode
  result: CredentialsResult | null
  message: string | null
}

function initialResult(link: LinkFailure | null, initialising: string | null): CredentialsResult | null {
  if (link) return { kind: link.code === LINK_EXPIRED ? 'link-expired' : 'failed', error: link.description }
  return initialising === null ? null : { kind: 'failed', error: initialising }
}

/** About the session that has ended, and a link that was opened. */
function initialMessage(): string | null {
  const state = session.get()
  const ended = state.status === 'guest' && state.ended ? END_MESSAGES[state.ended.reason] : null
  return [ended, notice.get()].filter((text) => text !== null).join(' ') || null
}

/** The mode in the query of a URL. */
export function authMode(search: string): AuthMode {
  const mode = new URLSearchParams(search).get('mode')
  return mode === 'signup' || mode === 'reset' ? mode : 'login'
}
