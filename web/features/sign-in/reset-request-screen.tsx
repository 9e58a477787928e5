import { type SubmitEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useFieldErrors } from '#web/lib/field-errors.ts'
import { SIGN_IN } from '#web/lib/navigation/routes.ts'
import { emailError } from '#web/lib/session/credentials.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { AuthCard } from './auth-card.tsx'
import { sendResetEmail } from './email-requests.ts'
import { CheckEmail } from './check-email.tsx'
import { EmailField, useInitialFocus } from './form-fields.tsx'

interface ResetRequestScreenProps {
  email: string
  onEmail: (email: string) => void
}

/** Requests an email with a link to set a new password. */
export function ResetRequestScreen({ email, onEmail }: ResetRequestScreenProps) {
  const [, navigate] = useLocation()
  const emailRef = useRef<HTMLInputElement>(null)
  useInitialFocus(emailRef)
  const { errors, show, recheck } = useFieldErrors<'email'>()
  const [error, setError] = useState<string | null>(null)
  const [sent, setSent] = useState(false)
  const { busy, submit } = useSubmission()

  const send = async () => {
    setError(null)
    const failure = await sendResetEmail(emailRef.current?.value.trim() ?? '')
    setError(failure)
    setSent(failure === null)
  }
  const check = () => ({ email: emailError(emailRef.current) })
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const found = check()
    show(found)
    if (found.email) emailRef.current?.focus()
    else void submit(send)
  }
  if (sent) {
    return (
      <CheckEmail>
        We&apos;ve sent a password reset link to your email address. Please check your inbox and follow the
        instructions.
      </CheckEmail>
    )
  }
  return (
    <AuthCard
      title="Reset your password"
      text="Enter your email address and we'll send you a link to reset your password"
    >
      <form
        noValidate
        onSubmit={handleSubmit}
        onInput={() => recheck(check())}
        className="flex flex-col gap-5"
      >
        {error && <InlineError>{error}</InlineError>}
        <EmailField ref={emailRef} value={email} onValue={onEmail} error={errors.email} />
        <div className="flex flex-wrap-reverse gap-3 *:flex-auto">
          <Button onClick={() => navigate(SIGN_IN)}>Back to Login</Button>
          <Button type="submit" variant="primary" loading={busy}>
            {busy ? 'Sending...' : 'Send Reset Link'}
          </Button>
        </div>
      </form>
    </AuthCard>
  )
}
