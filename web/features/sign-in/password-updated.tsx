import { Button } from '#web/ui/button.tsx'
import { AuthCard } from './auth-card.tsx'

interface PasswordUpdatedProps {
  busy: boolean
  onGoToLogin: () => void
}

/** The new password is set. */
export function PasswordUpdated({ busy, onGoToLogin }: PasswordUpdatedProps) {
  return (
    <AuthCard
      title="Password Updated"
      text="Your password has been updated. You can log in with it now."
      takesFocus
    >
      <Button variant="primary" loading={busy} onClick={onGoToLogin}>
        Go to Login
      </Button>
    </AuthCard>
  )
}
