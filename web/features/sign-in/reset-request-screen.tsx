import { type SubmitEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { SIGN_IN } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { AuthCard } from './auth-card.tsx'
import { sendResetMail } from './auth-requests.ts'
import { CheckEmail } from './check-email.tsx'
import { EmailField } from './email-field.tsx'
import { emailProblem } from './entries.ts'
import { ErrorBox } from './error-box.tsx'
import { useSubmission } from './use-submission.ts'

interface ResetRequestScreenProps {
  email: string
  onEmail: (email: string) => void
}

/** Asks for the address that the link to a new password is to be sent to. */
export function ResetRequestScreen({ email, onEmail }: ResetRequestScreenProps) {
  const [, navigate] = useLocation()
  const emailRef = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [sent, setSent] = useState(false)
  const { busy, submit } = useSubmission()

  const send = async () => {
    setError(null)
    const outcome = await sendResetMail(email.trim())
    if (outcome.done) setSent(true)
    else setError(outcome.error)
    return 'ready' as const
  }
  const submitted = (event: SubmitEvent) => {
    event.preventDefault()
    const found = emailProblem(email, emailRef.current?.validity.typeMismatch ?? false)
    setProblem(found)
    if (found) emailRef.current?.focus()
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
      <form noValidate onSubmit={submitted} className="flex flex-col gap-5">
        {error && <ErrorBox>{error}</ErrorBox>}
        <EmailField ref={emailRef} value={email} onValue={onEmail} error={problem} />
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
