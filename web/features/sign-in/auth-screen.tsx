import { useState } from 'react'
import { useSearch } from 'wouter'
import { lazyComponent } from '#web/lib/lazy-chunk.ts'
import { flashMessage } from '#web/lib/navigation-state.ts'
import { CredentialsScreen } from './credentials-screen.tsx'

/** Few users need it, so it is a chunk of its own, which is loaded once the form gets the focus. */
const ResetRequestScreen = lazyComponent(
  async () => (await import('./reset-request-screen.tsx')).ResetRequestScreen,
)

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
  const [initial, setInitial] = useState(() => ({ mode, error: initialError, message: flashMessage.get() }))
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

/** The mode in the query of a URL. */
export function authMode(search: string): AuthMode {
  const mode = new URLSearchParams(search).get('mode')
  return mode === 'signup' || mode === 'reset' ? mode : 'login'
}
