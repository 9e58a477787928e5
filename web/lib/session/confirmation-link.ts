import { reportError } from '#web/lib/error-message.ts'
import { auth } from './auth-client.ts'
import type { ConfirmationLink } from './initial-url.ts'
import { requireNewPassword } from './recovery.ts'
import { emailIn, takeSignUp } from './sign-up-memory.ts'

/**
 * Signs in with a link that confirms an address, if it was signed up in this browser. Otherwise a stranger may have signed up with
 * it and know the password, so its owner must set a new one first.
 *
 * @returns the error message, or null
 */
export async function openConfirmationLink(link: ConfirmationLink): Promise<string | null> {
  const { accessToken, refreshToken } = link
  if (refreshToken === null || !(await takeSignUp(emailIn(accessToken)))) {
    requireNewPassword(link)
    return null
  }
  const { error } = await auth.setSession({ access_token: accessToken, refresh_token: refreshToken })
  return error && reportError('initialize auth', error)
}
