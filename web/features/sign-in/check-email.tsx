import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { SIGN_IN } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { AuthCard } from './auth-card.tsx'
import { sendConfirmationEmail } from './auth-requests.ts'

/** Shown after an email was sent. */
export function CheckEmail({ children }: { children: ReactNode }) {
  const [, navigate] = useLocation()
  return (
    <AuthCard title="Check Your Email" text={children} takesFocus>
      <Button onClick={() => navigate(SIGN_IN)}>Back to Login</Button>
    </AuthCard>
  )
}

/** Shown after sign-up if the address has to be confirmed. */
export function ConfirmAddress({ email }: { email: string }) {
  return (
    <CheckEmail>
      We&rsquo;ve sent a link to <strong className="text-ink">{email}</strong>. Open it to confirm that the
      address is yours, and your account is ready. If nothing arrives, check your spam folder; if you already
      have an account, log in with it or request a new password.
    </CheckEmail>
  )
}

/** Shown with the sign-in error for an unconfirmed address. */
export function ResendConfirmation({ email }: { email: string }) {
  const [status, setStatus] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const send = async () => {
    const error = await sendConfirmationEmail(email)
    setStatus(error ?? `We’ve sent another email to ${email}.`)
  }
  return (
    <>
      <p className="mt-1">Please open the link in the email we sent you, then sign in.</p>
      <button
        type="button"
        aria-disabled={busy || undefined}
        onClick={() => void submit(send)}
        className={`${TEXT_LINK} min-h-8 text-current`}
      >
        {busy ? 'Sending...' : 'Send the email again'}
      </button>
      {status && <p role="status">{status}</p>}
    </>
  )
}
