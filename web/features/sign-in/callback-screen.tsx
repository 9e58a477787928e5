import { useLocation } from 'wouter'
import { SIGN_IN } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { AuthCard } from './auth-card.tsx'
import { callbackFailure } from './callback-failure.ts'
import { ErrorBox } from './error-box.tsx'

interface CallbackScreenProps {
  /** What the other service reported, if it did. */
  description: string | null
  /** What went wrong while its answer was read, in words for the person. */
  problem: string | null
}

/** `/auth/callback`, for those whom the way back from another service did not sign in. */
export function CallbackScreen({ description, problem }: CallbackScreenProps) {
  const [, navigate] = useLocation()
  const { message, detail } = callbackFailure(description, problem)
  return (
    <AuthCard title="Authentication Failed">
      <ErrorBox>{message}</ErrorBox>
      {detail && <p className="text-sm text-ink-soft wrap-anywhere">The other service said: {detail}</p>}
      <Button variant="primary" onClick={() => navigate(SIGN_IN)}>
        Back to Login
      </Button>
    </AuthCard>
  )
}
