import { Link } from 'wouter'
import { endRecovery, useRecovery } from '#web/lib/recovery.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { AuthCard } from './auth-card.tsx'
import { ErrorBox } from './error-box.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { PasswordUpdated } from './password-updated.tsx'
import { useLeaveRecovery } from './use-leave-recovery.ts'

/** `/reset-password`: where the link in a reset mail leads. */
export function ResetPasswordScreen() {
  const recovery = useRecovery()
  const { leaving, leave } = useLeaveRecovery()
  if (recovery.stage === 'done') return <PasswordUpdated busy={leaving} onGoToLogin={leave} />
  if (recovery.stage === 'failed') return <FailedLink message={recovery.message} />
  return (
    <AuthCard title="Set New Password" text="Choose a password that you use nowhere else.">
      <NewPasswordForm />
      <button type="button" onClick={leave} className={`${TEXT_LINK} self-center text-sm`}>
        Back to Login
      </button>
    </AuthCard>
  )
}

function FailedLink({ message }: { message: string }) {
  return (
    <AuthCard title="Set New Password">
      <ErrorBox>{message}</ErrorBox>
      <p className="text-ink-soft">
        A link works once, and only for a while. Ask for a new one: it comes to the same address.
      </p>
      <Link href="/?mode=reset" onClick={endRecovery} className={buttonStyle('primary')}>
        Request a new link
      </Link>
    </AuthCard>
  )
}
