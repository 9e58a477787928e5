import { useState } from 'react'
import { useSearch } from 'wouter'
import { lazyComponent } from '#web/lib/lazy-chunk.ts'
import { session } from '#web/lib/session.ts'
import { CredentialsScreen } from './credentials-screen.tsx'

/** Few users need it, so it is a chunk of its own, which is loaded once the form gets the focus. */
const ResetRequestScreen = lazyComponent(
  async () => (await import('./reset-request-screen.tsx')).ResetRequestScreen,
)

/** What the screen says about the session that has just ended. */
const END_MESSAGES = {
  'signed-out': null,
  'account-deleted': 'Your account has been deleted, with everything in it. Go in peace.',
  expired: 'You have been signed out. Please sign in again.',
}

export type AuthMode = 'login' | 'signup' | 'reset'

interface AuthScreenProps {
  /** Shown until the mode changes or the form is submitted. */
  initialError: string | null
  /** The user is about to sign in: a good time to preload the next screen. */
  onFocus: () => void
}

/** `/`: sign-in, sign-up and the request for a new password. The email address is kept when the mode changes. */
export function AuthScreen({ initialError, onFocus }: AuthScreenProps) {
  const mode = authMode(useSearch())
  const [email, setEmail] = useState('')
  const [initial, setInitial] = useState(() => ({ mode, error: initialError, message: endMessage() }))
  if (initial.mode !== mode) setInitial({ mode, error: null, message: null })
  const preload = () => {
    ResetRequestScreen.preload()
    onFocus()
  }
  return (
    <div className="contents" onFocus={preload}>
      {mode === 'reset' ? (
        <ResetRequestScreen email={email} onEmail={setEmail} />
      ) : (
        <CredentialsScreen
          key={mode}
          mode={mode}
          email={email}
          onEmail={setEmail}
          initialError={initial.error}
          message={initial.message}
        />
      )}
    </div>
  )
}

function endMessage(): string | null {
  const state = session.get()
  return state.status === 'guest' && state.ended ? END_MESSAGES[state.ended.reason] : null
}

/** The mode in the query of a URL. */
export function authMode(search: string): AuthMode {
  const mode = new URLSearchParams(search).get('mode')
  return mode === 'signup' || mode === 'reset' ? mode : 'login'
}
