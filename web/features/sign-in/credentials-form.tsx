import { type SubmitEvent, Suspense, useRef, useState } from 'react'
import { Link } from 'wouter'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError, PasswordField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import type { CredentialsResult } from './auth-requests.ts'
import {
  emailError,
  EmailField,
  newPasswordError,
  passwordError,
  useInitialFocus,
  useNewPasswordHint,
} from './form-fields.tsx'

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

interface FieldErrors {
  email: string | null
  password: string | null
}

/** The form with email address and password. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { mode, email, onEmail, result, busy, disabled, onSubmit } = props
  const emailRef = useRef<HTMLInputElement>(null)
  const passwordRef = useRef<HTMLInputElement>(null)
  const [errors, setErrors] = useState<FieldErrors>({ email: null, password: null })
  const newPasswordHint = useNewPasswordHint()
  useInitialFocus(email === '' ? emailRef : passwordRef)
  const isLogin = mode === 'login'

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const [emailInput, passwordInput] = [emailRef.current, passwordRef.current]
    if (!emailInput || !passwordInput) return
    const password = passwordInput.value
    const found = {
      email: emailError(emailInput.value, emailInput.validity.typeMismatch),
      password: isLogin ? passwordError(password) : newPasswordError(password),
    }
    setErrors(found)
    if (found.email) emailInput.focus()
    else if (found.password) passwordInput.focus()
    else onSubmit(emailInput.value.trim(), password)
  }

  const askForEmail = () => {
    setErrors({ email: emailError('', false), password: null })
    emailRef.current?.focus()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
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
      <EmailField
        ref={emailRef}
        value={email}
        onValue={(value) => {
          setErrors({ ...errors, email: null })
          onEmail(value)
        }}
        error={errors.email}
      />
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
