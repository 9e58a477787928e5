import { CheckEmail } from './check-email.tsx'

/** After sign-up, where an address is to be confirmed before it can be used. */
export function ConfirmAddress({ email }: { email: string }) {
  return (
    <CheckEmail>
      We&rsquo;ve sent a link to <strong className="text-ink">{email}</strong>. Open it to confirm that the
      address is yours, and your account is ready. If nothing comes, look in your spam folder; if you have an
      account already, log in with it or ask for a new password.
    </CheckEmail>
  )
}
