import { type SubmitEvent, Suspense, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { EmailField } from './email-field.tsx'
import { emailProblem, newPasswordProblem, passwordProblem } from './entries.ts'
import { ErrorBox } from './error-box.tsx'
import { Resend } from './later.ts'
import type { CredentialsState } from './use-credentials.ts'

interface CredentialsFormProps {
  mode: 'login' | 'signup'
  email: string
  onEmail: (email: string) => void
  state: CredentialsState
  busy: boolean
  /** Another way in was chosen and is under way. */
  disabled: boolean
  onSubmit: (email: string, password: string) => void
}

/** E-mail address and password. */
export function CredentialsForm({
  mode,
  email,
  onEmail,
  state,
  busy,
  disabled,
  onSubmit,
}: CredentialsFormProps) {
  const emailRef = useRef<HTMLInputElement>(null)
  const passwordRef = useRef<HTMLInputElement>(null)
  const [problems, setProblems] = useState<{ email: string | null; password: string | null }>({
    email: null,
    password: null,
  })
  const isLogin = mode === 'login'

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const [emailInput, passwordInput] = [emailRef.current, passwordRef.current]
    if (!emailInput || !passwordInput) return
    const password = passwordInput.value
    const found = {
      email: emailProblem(emailInput.value, emailInput.validity.typeMismatch),
      password: isLogin ? passwordProblem(password) : newPasswordProblem(password),
    }
    setProblems(found)
    if (found.email) emailInput.focus()
    else if (found.password) passwordInput.focus()
    else onSubmit(emailInput.value.trim(), password)
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {'error' in state && (
        <ErrorBox>
          {state.error}
          <Suspense>{state.kind === 'unconfirmed' && <Resend email={email} />}</Suspense>
        </ErrorBox>
      )}
      <EmailField ref={emailRef} value={email} onValue={onEmail} error={problems.email} />
      <div className="flex flex-col gap-2">
        <PasswordField
          ref={passwordRef}
          label="Password"
          name="password"
          required
          autoComplete={isLogin ? 'current-password' : 'new-password'}
          error={problems.password}
          hint={isLogin ? undefined : 'At least 6 characters'}
        />
        {isLogin && (
          <Link href="/?mode=reset" className={`${TEXT_LINK} self-end text-sm`}>
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
