import { type SubmitEvent, Suspense, useRef } from 'react'
import { Link } from 'wouter'
import { useFieldErrors } from '#web/lib/field-errors.ts'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import {
  emailError,
  MISSING_EMAIL,
  newPasswordError,
  passwordError,
  useNewPasswordHint,
} from '#web/lib/session/credentials.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError, PasswordField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import type { CredentialsResult } from './auth-requests.ts'
import { EmailField, useInitialFocus } from './form-fields.tsx'

const AccountError = lazyComponent(async () => (await import('./check-email.tsx')).AccountError)

interface CredentialsFormProps {
  mode: 'login' | 'signup'
  email: string
  onEmail: (email: string) => void
  result: CredentialsResult | null
  busy: boolean
  disabled: boolean
  onSubmit: (email: string, password: string) => void
}

/** The form with email address and password. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { mode, email, onEmail, result, busy, disabled, onSubmit } = props
  const emailRef = useRef<HTMLInputElement>(null)
  const passwordRef = useRef<HTMLInputElement>(null)
  const { errors, show, recheck } = useFieldErrors<'email' | 'password'>()
  const newPasswordHint = useNewPasswordHint()
  useInitialFocus(email === '' ? emailRef : passwordRef)
  const isLogin = mode === 'login'

  const check = () => {
    const password = passwordRef.current?.value ?? ''
    return {
      email: emailError(emailRef.current),
      password: isLogin ? passwordError(password) : newPasswordError(password),
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const [emailInput, passwordInput] = [emailRef.current, passwordRef.current]
    if (!emailInput || !passwordInput) return
    const found = check()
    show(found)
    if (found.email) emailInput.focus()
    else if (found.password) passwordInput.focus()
    else onSubmit(emailInput.value.trim(), passwordInput.value)
  }

  const askForEmail = () => {
    show({ email: MISSING_EMAIL })
    emailRef.current?.focus()
  }
  return (
    <form noValidate onSubmit={submit} onInput={() => recheck(check())} className="flex flex-col gap-5">
      {result && 'error' in result && (
        <Suspense fallback={<InlineError>{result.error}</InlineError>}>
          {result.kind === 'failed' ? (
            <InlineError>{result.error}</InlineError>
          ) : (
            <AccountError
              kind={result.kind}
              message={result.error}
              email={email}
              onMissingEmail={askForEmail}
            />
          )}
        </Suspense>
      )}
      <EmailField ref={emailRef} value={email} onValue={onEmail} error={errors.email} />
      <div className="flex flex-col gap-2">
        <PasswordField
          ref={passwordRef}
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
