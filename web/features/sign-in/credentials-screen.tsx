import { useState } from 'react'
import { Link } from 'wouter'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { lazyComponent } from '#web/lib/lazy-chunk.ts'
import { signInWithX } from '#web/lib/x-sign-in.ts'
import { XLogo } from '#web/ui/brand-icons.tsx'
import { Button } from '#web/ui/button.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { AuthCard } from './auth-card.tsx'
import { type CredentialsResult, signIn, signUp } from './auth-requests.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { UnsentChanges } from './unsent-changes.tsx'

const ConfirmAddress = lazyComponent(async () => (await import('./check-email.tsx')).ConfirmAddress)

interface CredentialsScreenProps {
  mode: 'login' | 'signup'
  email: string
  onEmail: (email: string) => void
  initialError: string | null
  /** About the session that has just ended. */
  message: string | null
}

/** Sign-in or sign-up: both have the same fields. */
export function CredentialsScreen({ mode, email, onEmail, initialError, message }: CredentialsScreenProps) {
  const [result, setResult] = useState(() => failed(initialError))
  const credentials = useSubmission()
  const withX = useSubmission()
  const isLogin = mode === 'login'

  const submit = async (submitted: string, password: string) => {
    setResult(null)
    const next = await (isLogin ? signIn : signUp)(submitted, password)
    setResult(next)
    return { busy: next.kind === 'signed-in' }
  }
  const continueWithX = async () => {
    setResult(null)
    const error = await signInWithX()
    setResult(failed(error))
    return { busy: error === null }
  }
  if (result?.kind === 'confirmation-sent') return <ConfirmAddress email={email} />
  return (
    <AuthCard
      title={isLogin ? 'Welcome back' : 'Create account'}
      text={isLogin ? `Login to your ${PRODUCT_NAME} account` : `Sign up for a new ${PRODUCT_NAME} account`}
    >
      {message && (
        <p role="status" className="rounded-md bg-gold-soft px-4 py-3 text-sm text-gold">
          {message}
        </p>
      )}
      <CredentialsForm
        mode={mode}
        email={email}
        onEmail={onEmail}
        result={result}
        busy={credentials.busy}
        disabled={withX.busy}
        onSubmit={(...entered) => void credentials.submit(() => submit(...entered))}
      />
      <p className="-mt-1 text-center text-sm text-ink-soft">
        {isLogin ? "Don't have an account? " : 'Already have an account? '}
        <Link href={isLogin ? '/?mode=signup' : '/'} className={TEXT_LINK}>
          {isLogin ? 'Sign up' : 'Login'}
        </Link>
      </p>
      <div className="flex flex-col gap-4">
        <p className="flex items-center gap-4 text-sm text-ink-faint before:flex-1 before:border-t before:border-line after:flex-1 after:border-t after:border-line">
          Or continue with
        </p>
        <Button
          loading={withX.busy}
          disabled={credentials.busy}
          onClick={() => void withX.submit(continueWithX)}
        >
          {!withX.busy && <XLogo />}
          Sign in with X
        </Button>
      </div>
      <UnsentChanges />
    </AuthCard>
  )
}

function failed(error: string | null): CredentialsResult | null {
  return error === null ? null : { kind: 'failed', error }
}
