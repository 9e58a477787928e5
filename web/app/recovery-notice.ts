import { currentRecovery, endRecovery } from '#web/lib/recovery.ts'
import { showNotice } from './notice.ts'

/** Somebody signed in has no use for a link to a new password: says so, instead of dropping it silently. */
export function noteForSignedIn(): void {
  const recovery = currentRecovery()
  if (recovery.stage === 'open') {
    endRecovery()
    showNotice(
      'You are signed in already, so the link for a new password was not used. To set a new password, sign out, then open the link again or ask for a new one.',
    )
  }
  if (recovery.stage === 'failed') {
    endRecovery()
    showNotice(`The link for a new password did not work: ${recovery.message}`)
  }
}
