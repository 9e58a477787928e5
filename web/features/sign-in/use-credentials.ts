import { useState } from 'react'
import { signIn, signUp } from './auth-requests.ts'
import { useSubmission } from './use-submission.ts'

/** Where an attempt to get in stands. */
export type CredentialsState =
  | { kind: 'ready' }
  | { kind: 'failed'; error: string }
  /** The password is right, but the address is still to be confirmed. */
  | { kind: 'unconfirmed'; error: string }
  /** The account is made; a mail is on its way to confirm the address. */
  | { kind: 'confirm first' }

/** Signs in or up. When it succeeds the whole app hears of the session, and moves on. */
export function useCredentials(mode: 'login' | 'signup', arrivalError: string | null) {
  const [state, setState] = useState<CredentialsState>(
    arrivalError === null ? { kind: 'ready' } : { kind: 'failed', error: arrivalError },
  )
  const { busy, submit } = useSubmission()
  const attempt = mode === 'login' ? attemptSignIn : attemptSignUp
  return {
    state,
    busy,
    fail: (error: string | null) => setState(error === null ? { kind: 'ready' } : { kind: 'failed', error }),
    submit: (email: string, password: string) =>
      void submit(async () => {
        setState({ kind: 'ready' })
        const next = await attempt(email, password)
        setState(next)
        return next.kind === 'ready' ? 'stay busy' : 'ready'
      }),
  }
}

async function attemptSignIn(email: string, password: string): Promise<CredentialsState> {
  const outcome = await signIn(email, password)
  if (outcome.done) return { kind: 'ready' }
  return { kind: 'unconfirmed' in outcome ? 'unconfirmed' : 'failed', error: outcome.error }
}

async function attemptSignUp(email: string, password: string): Promise<CredentialsState> {
  const outcome = await signUp(email, password)
  if (!outcome.done) return { kind: 'failed', error: outcome.error }
  return { kind: 'confirmFirst' in outcome ? 'confirm first' : 'ready' }
}
