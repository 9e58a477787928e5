import { Suspense } from 'react'
import { Link } from 'wouter'
import { EMAIL_MAX_LENGTH } from '#shared/limits.ts'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { MISSING_EMAIL, useNewPasswordHint } from '#web/lib/session/credentials.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField, InlineError, PasswordField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import type { useForm } from '#web/ui/use-form.ts'
import type { CredentialsResult } from './auth-requests.ts'
import { useInitialFocus } from './use-initial-focus.ts'

const AccountError = lazyComponent(async () => (await import('./check-email.tsx')).AccountError)

interface CredentialsFormProps {
  mode: 'login' | 'signup'
  email: string
  onEmail: (email: string) => void
  result: CredentialsResult | null
  form: ReturnType<typeof useForm<'email' | 'password'>>
  disabled: boolean
}

/** The form with email address and password. */
export function CredentialsForm({ mode, email, onEmail, result, form, disabled }: CredentialsFormProps) {
  const { errors, busy } = form
  const newPasswordHint = useNewPasswordHint()
  useInitialFocus(form, email === '' ? 'email' : 'password')
  const isLogin = mode === 'login'
  return (
    <form {...form.props} className="flex flex-col gap-5">
      {result && 'error' in result && (
        <Suspense fallback={<InlineError>{result.error}</InlineError>}>
          {result.kind === 'failed' ? (
            <InlineError>{result.error}</InlineError>
          ) : (
            <AccountError
              kind={result.kind}
              message={result.error}
              email={email}
              onMissingEmail={() => form.show({ email: MISSING_EMAIL })}
            />
          )}
        </Suspense>
      )}
      <EmailField
        label="Email"
        maxLength={EMAIL_MAX_LENGTH}
        value={email}
        error={errors.email}
        onChange={({ currentTarget }) => onEmail(currentTarget.value)}
      />
      <div className="flex flex-col gap-2">
        <PasswordField
          label="Password"
          name="password"
          required
          autoComplete={isLogin ? 'current-password' : 'new-password'}
          error={errors.password}
          {...(isLogin ? {} : newPasswordHint)}
        />
        {isLogin && (
          <Link href="/?mode=reset" className={`${TEXT_LINK} touch-area self-end text-sm`}>
            Forgot your password?
          </Link>
        )}
      </div>
      <Button type="submit" variant="primary" loading={busy} disabled={disabled}>
        {isLogin ? (busy ? 'Signing in...' : 'Sign In') : busy ? 'Signing up...' : 'Create Account'}
      </Button>
    </form>
  )
}
