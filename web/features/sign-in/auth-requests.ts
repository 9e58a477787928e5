import type { AuthError } from '@supabase/auth-js'
import { auth } from '#web/lib/auth-client.ts'
import { config } from '#web/lib/config.ts'
import { reportError } from '#web/lib/error-message.ts'
import { RESET_PASSWORD } from '#web/lib/paths.ts'
import { advanceRecovery, currentRecovery, failRecovery } from '#web/lib/recovery.ts'

export type CredentialsResult =
  /** The app moves on by itself when the session changes. */
  | { kind: 'signed-in' }
  | { kind: 'failed'; error: string }
  /** The password is right, but the email address is not confirmed. */
  | { kind: 'unconfirmed'; error: string }
  /** The link that confirms the email address was used before, or is too old. */
  | { kind: 'link-expired'; error: string }
  /** The email address has an account. */
  | { kind: 'registered'; error: string }
  /** The account was created, and an email to confirm the address was sent. */
  | { kind: 'confirmation-sent' }

export async function signIn(email: string, password: string): Promise<CredentialsResult> {
  const { error } = await auth.signInWithPassword({ email, password })
  if (!error) return { kind: 'signed-in' }
  const isUnconfirmed = error.code === 'email_not_confirmed'
  return { kind: isUnconfirmed ? 'unconfirmed' : 'failed', error: reportError('sign in', error) }
}

export async function signUp(email: string, password: string): Promise<CredentialsResult> {
  const { data, error } = await auth.signUp({ email, password })
  if (error) {
    const isRegistered = error.code === 'user_already_exists'
    return { kind: isRegistered ? 'registered' : 'failed', error: reportError('sign up', error) }
  }
  return { kind: data.session ? 'signed-in' : 'confirmation-sent' }
}

/**
 * Sends an email with a link to set a new password, if the address has an account.
 *
 * @returns the error message, or null
 */
export async function sendResetEmail(email: string): Promise<string | null> {
  const redirectTo = `${resetOrigin(location, config.siteUrl)}${RESET_PASSWORD}`
  const { error } = await auth.resetPasswordForEmail(email, { redirectTo })
  return error && reportError('send reset password email', error)
}

/**
 * The origin of the link in a reset email: this one on a developer's machine, else the public site's, since the app may
 * also be reachable under other names.
 */
export function resetOrigin(page: { hostname: string; origin: string }, siteUrl: string): string {
  const isLocal = page.hostname === 'localhost' || page.hostname.endsWith('.localhost')
  return isLocal ? page.origin : siteUrl
}

/** Sends the email that confirms an address again. Returns the error message, or null. */
export async function sendConfirmationEmail(email: string): Promise<string | null> {
  const { error } = await auth.resend({ type: 'signup', email })
  return error && reportError('send confirmation email', error)
}

/**
 * Sets a new password with the tokens of the recovery link, which signs in first. After an error, the next attempt
 * continues where this one failed.
 *
 * @returns the error message, or null
 */
export async function setPassword(password: string): Promise<string | null> {
  const signInError = await signInWithRecoveryLink()
  if (signInError !== null) return signInError
  const { error } = await auth.updateUser({ password })
  if (error) {
    const message = reportError('update password', error)
    if (error.code === 'reauthentication_needed') return 'Please request a new link, or sign in again first.'
    return isRejected(error) ? message : `${message}. Please try again.`
  }
  advanceRecovery('done')
  return null
}

async function signInWithRecoveryLink(): Promise<string | null> {
  const recovery = currentRecovery()
  if (recovery.stage !== 'open') return null
  const { accessToken, refreshToken } = recovery
  const { error } = await auth.setSession({
    access_token: accessToken,
    refresh_token: refreshToken ?? '',
  })
  if (error) {
    const message = reportError('set session', error)
    if (isRejected(error)) failRecovery('Failed to authenticate with the provided token')
    return message
  }
  advanceRecovery('signed-in')
  return null
}

/** Whether the server responded and rejected the request, as opposed to an outage. */
function isRejected({ status }: AuthError): boolean {
  return status !== undefined && status >= 400 && status < 500
}
