import type { AuthError } from '@supabase/auth-js'
import { auth } from '#web/lib/auth-client.ts'
import { reportError } from '#web/lib/error-message.ts'
import { advanceRecovery, currentRecovery } from '#web/lib/recovery.ts'
import type { Outcome } from './auth-requests.ts'

/**
 * Sets a new password in the name of the mailed link: it signs its owner in first, and only now. A second attempt goes
 * on where the first one stopped.
 */
export async function setPassword(password: string): Promise<Outcome> {
  const refusal = await signInByLink()
  if (refusal !== null) return { done: false, error: refusal }
  const { error } = await auth.updateUser({ password })
  if (error) {
    const text = reportError('update password', error)
    return { done: false, error: wasRefused(error) ? text : `${text}. Please try again.` }
  }
  advanceRecovery('done')
  return { done: true }
}

async function signInByLink(): Promise<string | null> {
  const recovery = currentRecovery()
  if (recovery.stage !== 'open') return null
  const { accessToken, refreshToken } = recovery
  if (accessToken === null) return 'No access token found. Please request a new password reset link.'
  const { error } = await auth.setSession({
    access_token: accessToken,
    refresh_token: refreshToken ?? '',
  })
  if (error) return refusalOf(error)
  advanceRecovery('signed-in')
  return null
}

function refusalOf(error: AuthError): string {
  const text = reportError('set session', error)
  return wasRefused(error) ? 'Failed to authenticate with the provided token' : text
}

/** To be refused is another matter than a server that could not be asked. */
function wasRefused({ status }: AuthError): boolean {
  return status !== undefined && status >= 400 && status < 500
}
