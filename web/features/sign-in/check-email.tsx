import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { SIGN_IN } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
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

interface ResendConfirmationProps {
  /** The message of the server. */
  error: string
  email: string
  /** What else the user can do. */
  children: ReactNode
  onMissingEmail: () => void
}

/** The error for an unconfirmed address, or for a link that did not confirm it: offers to send another email. */
export function ResendConfirmation({ error, email, children, onMissingEmail }: ResendConfirmationProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const address = email.trim()
  const send = async () => {
    const result = await sendConfirmationEmail(address)
    setFailure(result)
    if (result === null) setSentTo(address)
  }
  if (sentTo !== null) return <EmailSent address={sentTo} />
  return (
    <InlineError>
      <p>{failure ?? error}</p>
      <p className="mt-1">{children}</p>
      <button
        type="button"
        aria-disabled={busy || undefined}
        onClick={() => (address === '' ? onMissingEmail() : void submit(send))}
        className={`${TEXT_LINK} min-h-11 text-current`}
      >
        {busy ? 'Sending...' : 'Send the email again'}
      </button>
    </InlineError>
  )
}

/** Takes the focus from the button that it replaces. */
function EmailSent({ address }: { address: string }) {
  const message = useRef<HTMLParagraphElement>(null)
  useEffect(() => message.current?.focus(), [])
  return (
    <p
      ref={message}
      role="status"
      tabIndex={-1}
      className="rounded-md bg-success-soft px-4 py-3 text-sm wrap-anywhere text-success"
    >
      We’ve sent another email to {address}. Open the link in it, and your account is ready.
    </p>
  )
}
