import { useState } from 'react'
import { useSearch } from 'wouter'
import { authMode } from './auth-mode.ts'
import { CredentialsScreen } from './credentials-screen.tsx'
import { preloadLater, ResetRequestScreen } from './later.ts'

interface AuthScreenProps {
  productName: string
  /** What went wrong on the way here; shown until something is done about it. */
  arrivalError: string | null
  /** What to say to somebody who has just left for good. */
  farewell: string | null
  /** Somebody is about to sign in: a good time to fetch what comes next. */
  onEngaged: () => void
}

/** `/`: sign-in, sign-up and the request for a new password. The address typed goes along from one to the other. */
export function AuthScreen({ productName, arrivalError, farewell, onEngaged }: AuthScreenProps) {
  const mode = authMode(useSearch())
  const [email, setEmail] = useState('')
  const [arrival, setArrival] = useState({ mode, error: arrivalError, farewell })
  if (arrival.mode !== mode) setArrival({ mode, error: null, farewell: null })
  const engage = () => {
    preloadLater()
    onEngaged()
  }
  return (
    <div className="contents" onFocus={engage}>
      {mode === 'reset' ? (
        <ResetRequestScreen email={email} onEmail={setEmail} />
      ) : (
        <CredentialsScreen
          key={mode}
          mode={mode}
          productName={productName}
          email={email}
          onEmail={setEmail}
          arrivalError={arrival.error}
          farewell={arrival.farewell}
        />
      )}
    </div>
  )
}
