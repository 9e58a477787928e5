import { reportError } from '#web/lib/error-message.ts'
import { notice } from '#web/lib/navigation/navigation-state.ts'
import { RESET_PASSWORD } from '#web/lib/navigation/routes.ts'
import { auth } from './auth-client.ts'
import { openEmailChangeLink } from './change-account.ts'
import { type ConfirmationLink, initialUrl, isOfEmailChange } from './initial-url.ts'
import { currentRecovery, endRecovery, requireNewPassword } from './recovery.ts'
import { storedState } from './session.ts'
import { emailIn, takeSignUp } from './sign-up-memory.ts'
import { currentAuthSession } from './token-refresh.ts'

/**
 * Does what the link says that this page was opened with, and finds out who is signed in.
 *
 * @returns the error message if the session in the URL could not be used; else null. Rejects likewise.
 */
export async function openLink(): Promise<string | null> {
  const error = await open()
  if (storedState().status !== 'guest') dropRecovery()
  return error
}

async function open(): Promise<string | null> {
  const { hasSession, result } = initialUrl
  if (hasSession && result.kind === 'none') {
    const { error } = await auth.initialize()
    return error && reportError('initialize auth', error)
  }
  // The server may have ended the session. If it can't be reached, the stored one counts.
  await currentAuthSession().catch(() => null)
  if (isOfEmailChange(initialUrl)) await openEmailChangeLink(initialUrl).catch(noticeFailure)
  return result.kind === 'confirmation' ? openConfirmationLink(result) : null
}

function noticeFailure(failure: unknown): void {
  reportError('change your email address', failure)
  notice.set(
    'The link has been opened. Your profile in the settings shows whether it has changed your address.',
  )
}

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

/** A recovery link is of no use to signed-in users. A notice explains why the link did nothing. */
function dropRecovery(): void {
  const recovery = currentRecovery()
  if (recovery.stage === 'open') {
    endRecovery()
    notice.set(
      'You are signed in, so the link for a new password was not used. Sign out and open it again, or ask for a new one. Until then, your old password may not work.',
    )
  }
  if (recovery.stage === 'failed') {
    endRecovery()
    // Otherwise the link was opened earlier in this tab, before the user signed in.
    if (initialUrl.path !== RESET_PASSWORD) return
    notice.set(`The link for a new password did not work: ${recovery.message}`)
  }
}
