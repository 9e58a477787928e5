import { useLocation } from 'wouter'
import { SIGN_IN } from '#web/lib/navigation/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { AuthCard } from './auth-card.tsx'

const NO_EMAIL_ADDRESS =
  'Unable to sign in. Please make sure you have an email address linked to your X/Twitter account and try again.'

interface CallbackScreenProps {
  /** The error description in the URL. */
  reported: string | null
  /** The error message from loading the session. */
  initialising: string | null
}

/** `/auth/callback`, if the return from X didn't sign in. */
export function CallbackScreen({ reported, initialising }: CallbackScreenProps) {
  const [, navigate] = useLocation()
  const hasNoEmail = reported?.includes('Error getting user email') ?? false
  const message = hasNoEmail ? NO_EMAIL_ADDRESS : initialising
  return (
    <AuthCard title="Authentication Failed">
      <InlineError>{message ?? 'Authentication failed. Please try again.'}</InlineError>
      {reported && !hasNoEmail && (
        <p className="text-sm text-ink-soft wrap-anywhere">The other service said: {reported}</p>
      )}
      <Button variant="primary" onClick={() => navigate(SIGN_IN)}>
        Back to Login
      </Button>
    </AuthCard>
  )
}
