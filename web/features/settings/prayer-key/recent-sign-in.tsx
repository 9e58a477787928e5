import { isAuthError, type User } from '@supabase/auth-js'
import { hasSignedInLately } from '#web/data/encryption.ts'
import { callNotifications } from '#web/data/user-data.tsx'
import { reportError, UserError } from '#web/lib/error-message.ts'
import { appsOf } from '#web/lib/session/second-factor.ts'
import { endSession, signInAgain } from '#web/lib/session/sign-in-again.ts'
import { hasPassword } from '#web/lib/session/user-profile.ts'
import { PasswordField, TextField } from '#web/ui/fields.tsx'
import type { FieldErrors, FormOutcome, ReadField } from '#web/ui/use-form.ts'

const SIGN_IN_AGAIN =
  'This is only possible shortly after signing in. Please sign out, sign in again, and come back here. But signing out makes this device forget its prayer keys, and what only it can show: have these keys at hand, or save your prayers as a file first.'

type Proof = 'password' | 'code'

interface SignInFieldsProps {
  user: User
  errors: FieldErrors<Proof>
}

/** The fields for the password and the code of an app, for those who prove by them who they are. */
export function SignInFields({ user, errors }: SignInFieldsProps) {
  if (!hasPassword(user)) return null
  return (
    <>
      {/* Password managers know by it whose password it is. */}
      <input type="email" name="username" autoComplete="username" value={user.email ?? ''} readOnly hidden />
      <PasswordField
        label="Current password"
        name="password"
        required
        autoComplete="current-password"
        error={errors.password}
        hint="To confirm that it is you"
      />
      {needsCode(user) && (
        <TextField
          label="Code that your authenticator app shows"
          name="code"
          required
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          error={errors.code}
        />
      )}
    </>
  )
}

function needsCode(user: User): boolean {
  return appsOf(user).length > 0
}

export function checkSignIn(user: User, read: ReadField): FieldErrors<Proof> {
  if (!hasPassword(user)) return {}
  return {
    password: read('password') === '' ? 'Please enter your current password' : null,
    code: needsCode(user) && read('code').trim() === '' ? 'Please enter the code' : null,
  }
}

/** Signs in again by the password; others must have signed in lately. Resolves to what was wrong; null if nothing. */
export async function proveSignIn(user: User, read: ReadField): Promise<FormOutcome<Proof> | null> {
  if (!hasPassword(user)) {
    if (await hasSignedInLately()) return null
    throw new UserError(SIGN_IN_AGAIN)
  }
  try {
    const code = needsCode(user) ? read('code').trim() : undefined
    await replaceSession(user, read('password'), code)
    return null
  } catch (failure) {
    if (isAuthError(failure) && failure.code === 'invalid_credentials')
      return { errors: { password: 'This is not your current password' }, select: true }
    const message = reportError('check your password', failure)
    const isCode = needsCode(user) && failure instanceof UserError
    return isCode ? { errors: { code: message }, select: true } : { error: message }
  }
}

/** Signs in again, and ends the session that this replaces. Rejects like `signInAgain`. */
export async function replaceSession(user: User, password: string, code?: string): Promise<void> {
  const replaced = await signInAgain(user, password, code)
  // Notifications belong to a session, so they are registered again for the new one.
  void endSession(replaced).then(() => callNotifications('watchNotifications'))
}
