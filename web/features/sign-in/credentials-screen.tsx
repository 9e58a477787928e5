import { Link } from 'wouter'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { AuthCard } from './auth-card.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { ConfirmAddress } from './later.ts'
import { useCredentials } from './use-credentials.ts'
import { useLeavingForX } from './use-leaving-for-x.ts'
import { XSignInButton } from './x-sign-in-button.tsx'

interface CredentialsScreenProps {
  mode: 'login' | 'signup'
  productName: string
  email: string
  onEmail: (email: string) => void
  arrivalError: string | null
  farewell: string | null
}

/** Sign-in or sign-up: the same fields, for those who have an account and for those who don't. */
export function CredentialsScreen({
  mode,
  productName,
  email,
  onEmail,
  arrivalError,
  farewell,
}: CredentialsScreenProps) {
  const credentials = useCredentials(mode, arrivalError)
  const { leaving, leave } = useLeavingForX(credentials.fail)
  const isLogin = mode === 'login'
  if (credentials.state.kind === 'confirm first') return <ConfirmAddress email={email} />
  return (
    <AuthCard
      title={isLogin ? 'Welcome back' : 'Create account'}
      text={isLogin ? `Login to your ${productName} account` : `Sign up for a new ${productName} account`}
    >
      {farewell && (
        <p role="status" className="rounded-md bg-gold-soft px-4 py-3 text-sm text-gold">
          {farewell}
        </p>
      )}
      <CredentialsForm
        mode={mode}
        email={email}
        onEmail={onEmail}
        state={credentials.state}
        busy={credentials.busy}
        disabled={leaving}
        onSubmit={credentials.submit}
      />
      <p className="-mt-1 text-center text-sm text-ink-soft">
        {isLogin ? "Don't have an account? " : 'Already have an account? '}
        <Link href={isLogin ? '/?mode=signup' : '/'} className={TEXT_LINK}>
          {isLogin ? 'Sign up' : 'Login'}
        </Link>
      </p>
      <XSignInButton disabled={credentials.busy} leaving={leaving} onLeave={leave} />
    </AuthCard>
  )
}
