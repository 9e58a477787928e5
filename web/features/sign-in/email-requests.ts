import { auth } from '#web/lib/session/auth-client.ts'
import { linkOrigin } from '#web/lib/config.ts'
import { reportError } from '#web/lib/error-message.ts'
import { RESET_PASSWORD } from '#web/lib/navigation/routes.ts'

/**
 * Sends an email with a link to set a new password, if the address has an account.
 *
 * @returns the error message, or null
 */
export async function sendResetEmail(email: string): Promise<string | null> {
  const redirectTo = `${linkOrigin(location)}${RESET_PASSWORD}`
  const { error } = await auth.resetPasswordForEmail(email, { redirectTo })
  return error && reportError('send reset password email', error)
}

/** Sends the email that confirms an address again. Returns the error message, or null. */
export async function sendConfirmationEmail(email: string): Promise<string | null> {
  const { error } = await auth.resend({ type: 'signup', email })
  return error && reportError('send confirmation email', error)
}
