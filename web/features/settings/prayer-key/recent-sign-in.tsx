import { isAuthError, type User } from '@supabase/auth-js'
import { hasSignedInLately } from '#web/data/encryption.ts'
import { callNotifications } from '#web/data/user-data.tsx'
import { reportError, UserError } from '#web/lib/error-message.ts'
import { appsOf } from '#web/lib/session/second-factor.ts'
import { endSession, signInAgain } from '#web/lib/session/sign-in-again.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { PasswordField } from '#web/ui/fields.tsx'
import type { FieldErrors, FormOutcome, ReadField } from '#web/ui/use-form.ts'

const SIGN_IN_AGAIN =
  'This is only possible shortly after signing in. Please sign out, sign in again, and come back here. But signing out makes this device forget its prayer keys, and what only it can show: have these keys at hand, or save your prayers as a file first.'

/** Whether users prove who they are by their password, without leaving the page: not if a code has to follow. */
export function provesByPassword(user: User): boolean {
  return hasPassword(user) && appsOf(user).length === 0
}

/** The field for the password, for those who prove by it who they are. */
export function SignInField({ user, error }: { user: User; error: string | null | undefined }) {
  if (!provesByPassword(user)) return null
  return (
    <>
      {/* Password managers know by it whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      <PasswordField
        label="Current password"
        name="password"
        required
        autoComplete="current-password"
        error={error}
        hint="To confirm that it is you"
      />
    </>
  )
}

export function checkSignIn(user: User, read: ReadField): FieldErrors<'password'> {
  const isMissing = provesByPassword(user) && read('password') === ''
  return { password: isMissing ? 'Please enter your current password' : null }
}

/** Signs in again by the password; others must have signed in lately. Resolves to what was wrong; null if nothing. */
export async function proveSignIn(user: User, read: ReadField): Promise<FormOutcome<'password'> | null> {
  if (!provesByPassword(user)) {
    if (await hasSignedInLately()) return null
    throw new UserError(SIGN_IN_AGAIN)
  }
  try {
    const replaced = await signInAgain(user, read('password'))
    // Notifications belong to a session, so they are registered again for the new one.
    void endSession(replaced).then(() => callNotifications('watchNotifications'))
    return null
  } catch (failure) {
    if (isAuthError(failure) && failure.code === 'invalid_credentials')
      return { errors: { password: 'This is not your current password' }, select: true }
    return { error: reportError('check your password', failure) }
  }
}
