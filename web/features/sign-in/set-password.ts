import type { AuthError, GoTrueClient } from '@supabase/auth-js'
import { auth, memoryClient } from '#web/lib/session/auth-client.ts'
import { reportError } from '#web/lib/error-message.ts'
import { completeRecovery, currentRecovery, endRecovery, failRecovery } from '#web/lib/session/recovery.ts'

/**
 * Sets a new password with the tokens of an emailed link, and then signs in. Until then, no tab of this browser is signed in.
 * After an error, the user may try again.
 *
 * @returns the error message, or null
 */
export async function setPassword(password: string): Promise<string | null> {
  const recovery = currentRecovery()
  if (recovery.stage !== 'open') return null
  const client = memoryClient()
  const { data, error } = await client.setSession({
    access_token: recovery.accessToken,
    refresh_token: recovery.refreshToken ?? '',
  })
  if (error) {
    const message = reportError('set session', error)
    if (isRejected(error)) failRecovery('Failed to authenticate with the provided token')
    return message
  }
  const failure = await updatePassword(client, { password, mayStay: recovery.link === 'confirmation' })
  if (failure !== null) return failure
  const signedIn = data.session && (await auth.setSession(data.session))
  if (recovery.link !== 'recovery' && signedIn?.error === null) endRecovery()
  else completeRecovery()
  return null
}

/** The server signs out all other sessions. `mayStay`: the password may be the current one, if the user entered it. */
async function updatePassword(
  client: GoTrueClient,
  { password, mayStay }: { password: string; mayStay: boolean },
): Promise<string | null> {
  const updated = await client.updateUser({ password })
  const isCurrent = updated.error?.code === 'same_password' && mayStay
  const { error } = isCurrent ? await client.signOut({ scope: 'others' }) : updated
  if (!error) return null
  const message = reportError('update password', error)
  // It was not known when the page was opened.
  if (error.code === 'insufficient_aal')
    return 'Your account needs a code first. Please load this page again.'
  if (error.code === 'reauthentication_needed') failRecovery('The link was opened too long ago.')
  return isRejected(error) ? message : `${message}. Please try again.`
}

/** Whether the server responded and rejected the request, as opposed to an outage. */
function isRejected({ status }: AuthError): boolean {
  return status !== undefined && status >= 400 && status < 500
}
