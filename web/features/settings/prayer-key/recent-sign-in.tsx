import type { Session, User } from '@supabase/auth-js'
import { hasSignedInLately } from '#web/data/encryption.ts'
import { callNotifications } from '#web/data/user-data.tsx'
import { reportError, UserError } from '#web/lib/error-message.ts'
import { auth } from '#web/lib/session/auth-client.ts'
import { appsOf } from '#web/lib/session/second-factor.ts'
import { readStoredSession } from '#web/lib/session/stored-session.ts'
import { revokeSession } from '#web/lib/session/token-refresh.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { PasswordField } from '#web/ui/fields.tsx'
import type { FieldErrors, FormOutcome, ReadField } from '#web/ui/use-form.ts'

const SIGN_IN_AGAIN =
  'This is only possible shortly after signing in. Signing out makes this device forget your prayer key: only if you have it at hand, please sign out, sign in again, and come back here.'

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
  const former = readStoredSession()
  const { error } = await auth.signInWithPassword({ email: user.email ?? '', password: read('password') })
  if (!error) {
    if (former) void endReplacedSession(former)
    return null
  }
  if (error.code !== 'invalid_credentials') return { error: reportError('check your password', error) }
  return { errors: { password: 'This is not your current password' }, select: true }
}

/** Otherwise it would be listed as another device. Notifications belong to a session, so they are registered again for the new one. */
async function endReplacedSession(replaced: Session): Promise<void> {
  const error = await revokeSession(replaced, 'local').catch((failure: unknown) => failure)
  if (error) reportError('sign out', error)
  callNotifications('watchNotifications')
}
