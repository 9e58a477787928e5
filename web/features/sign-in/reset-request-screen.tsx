import { useState } from 'react'
import { useLocation } from 'wouter'
import { EMAIL_MAX_LENGTH } from '#shared/limits.ts'
import { SIGN_IN } from '#web/lib/navigation/routes.ts'
import { emailError } from '#web/lib/session/credentials.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField, InlineError } from '#web/ui/fields.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { AuthCard } from './auth-card.tsx'
import { sendResetEmail } from './email-requests.ts'
import { CheckEmail } from './check-email.tsx'
import { useInitialFocus } from './use-initial-focus.ts'

interface ResetRequestScreenProps {
  email: string
  onEmail: (email: string) => void
}

/** Requests an email with a link to set a new password. */
export function ResetRequestScreen({ email, onEmail }: ResetRequestScreenProps) {
  const [, navigate] = useLocation()
  const [sent, setSent] = useState(false)
  const form = useForm({
    check: (read) => ({ email: emailError(read('email')) }),
    save: async (read) => {
      const error = await sendResetEmail(read('email').trim())
      setSent(error === null)
      return { error }
    },
  })
  useInitialFocus(form, 'email')
  if (sent) {
    return (
      <CheckEmail>
        We&apos;ve sent a password reset link to your email address. Please check your inbox and follow the
        instructions. <strong className="mt-2 block text-ink">{email.trim()}</strong>
      </CheckEmail>
    )
  }
  return (
    <AuthCard
      title="Reset your password"
      text="Enter your email address and we'll send you a link to reset your password"
    >
      <form {...form.props} className="flex flex-col gap-5">
        {form.error && <InlineError>{form.error}</InlineError>}
        <EmailField
          label="Email"
          maxLength={EMAIL_MAX_LENGTH}
          value={email}
          error={form.errors.email}
          onChange={({ currentTarget }) => onEmail(currentTarget.value)}
        />
        <div className="flex flex-wrap-reverse gap-3 *:flex-auto">
          <Button onClick={() => navigate(SIGN_IN)}>Back to Login</Button>
          <Button type="submit" variant="primary" loading={form.busy}>
            {form.busy ? 'Sending...' : 'Send Reset Link'}
          </Button>
        </div>
      </form>
    </AuthCard>
  )
}
