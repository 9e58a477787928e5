import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { SIGN_IN } from '#web/lib/navigation/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { AuthCard } from './auth-card.tsx'
import { sendConfirmationEmail, sendResetEmail } from './email-requests.ts'

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

interface AccountErrorProps {
  kind: 'unconfirmed' | 'link-expired' | 'limited' | 'registered'
  /** The message of the server. */
  message: string
  email: string
  onMissingEmail: () => void
}

/** An error at sign-in or sign-up, with what the user can do about it. */
export function AccountError({ kind, ...rest }: AccountErrorProps) {
  switch (kind) {
    case 'registered':
      return <AlreadyRegistered message={rest.message} />
    case 'limited':
      return <EmailOffer {...rest} {...PASSWORD_RESET} />
    case 'unconfirmed':
      return (
        <EmailOffer
          {...rest}
          {...CONFIRMATION}
          advice="Please open the link in the email we sent you, then sign in."
        />
      )
    case 'link-expired':
      return (
        <EmailOffer
          {...rest}
          {...CONFIRMATION}
          advice="If you have used it before, your address is confirmed: just sign in. If not, enter your address below, and we will send you another one."
        />
      )
  }
}

const CONFIRMATION = {
  action: 'Send the email again',
  send: sendConfirmationEmail,
  sent: (address: string) =>
    `We’ve sent another email to ${address}. Open the link in it, and your account is ready.`,
}

/** The same for every address: who may have an account is not revealed. */
const PASSWORD_RESET = {
  advice:
    'Too many passwords were tried, perhaps by someone else. You can try again later, or set a new password now.',
  action: 'Reset your password by email',
  send: sendResetEmail,
  sent: () =>
    "We've sent a password reset link to your email address. Please check your inbox and follow the instructions.",
}

function AlreadyRegistered({ message }: { message: string }) {
  return (
    <InlineError>
      {message}.{' '}
      <Link href={SIGN_IN} className={`${TEXT_LINK} text-current`}>
        Sign in with this address
      </Link>{' '}
      or{' '}
      <Link href="/?mode=reset" className={`${TEXT_LINK} text-current`}>
        choose a new password
      </Link>
      .
    </InlineError>
  )
}

interface EmailOfferProps extends Omit<AccountErrorProps, 'kind'> {
  advice: string
  /** The label of the button. */
  action: string
  /** Returns the error message, or null. */
  send: (address: string) => Promise<string | null>
  /** What to say when the email was sent. */
  sent: (address: string) => string
}

/** Offers to send an email to the address that was entered. */
function EmailOffer({ message, email, onMissingEmail, advice, action, send, sent }: EmailOfferProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { busy, submit } = useSubmission()
  const address = email.trim()
  const attempt = async () => {
    const result = await send(address)
    setFailure(result)
    if (result === null) setSentTo(address)
  }
  if (sentTo !== null) return <EmailSent>{sent(sentTo)}</EmailSent>
  return (
    <InlineError>
      <p>{failure ?? message}</p>
      <p className="mt-1">{advice}</p>
      <button
        type="button"
        aria-disabled={busy || undefined}
        onClick={() => (address === '' ? onMissingEmail() : void submit(attempt))}
        className={`${TEXT_LINK} min-h-11 text-current`}
      >
        {busy ? 'Sending...' : action}
      </button>
    </InlineError>
  )
}

/** Takes the focus from the button that it replaces. */
function EmailSent({ children }: { children: string }) {
  const message = useRef<HTMLParagraphElement>(null)
  useEffect(() => message.current?.focus(), [])
  return (
    <p
      ref={message}
      role="status"
      tabIndex={-1}
      className="rounded-md bg-success-soft px-4 py-3 text-sm wrap-anywhere text-success"
    >
      {children}
    </p>
  )
}
