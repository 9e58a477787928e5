import { Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useKeptData } from '#web/data/kept-data.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { reportError } from '#web/lib/error-message.ts'
import { lazyChunk, lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { whenIdle } from '#web/lib/loading/when-idle.ts'
import { emailError, newPasswordError, passwordError } from '#web/lib/session/credentials.ts'
import { XLogo } from '#web/ui/brand-icons.tsx'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { useForm, useSubmission } from '#web/ui/use-form.ts'
import { AuthCard } from './auth-card.tsx'
import { type CredentialsResult, signIn, signUp } from './auth-requests.ts'
import { CredentialsForm } from './credentials-form.tsx'

/** Few users need these: they are loaded after the screen. */
const X_SIGN_IN = lazyChunk(() => import('#web/lib/session/x-sign-in.ts'))
const KeptData = lazyComponent(async () => (await import('./kept-data-notice.tsx')).KeptData)
const ConfirmAddress = lazyComponent(async () => (await import('./check-email.tsx')).ConfirmAddress)

interface CredentialsScreenProps {
  mode: 'login' | 'signup'
  email: string
  onEmail: (email: string) => void
  initialResult: CredentialsResult | null
  /** About the session that has just ended. */
  message: string | null
}

/** Sign-in or sign-up: both have the same fields. */
export function CredentialsScreen({ mode, email, onEmail, initialResult, message }: CredentialsScreenProps) {
  const [result, setResult] = useState(initialResult)
  const [xError, setXError] = useState<string | null>(null)
  const withX = useSubmission()
  const isAnythingKept = useKeptData() !== null
  const isLogin = mode === 'login'
  useEffect(() => whenIdle(() => void X_SIGN_IN.load().catch(() => undefined)), [])

  const form = useForm({
    check: (read) => ({
      email: emailError(read('email')),
      password: (isLogin ? passwordError : newPasswordError)(read('password')),
    }),
    save: async (read) => {
      setResult(null)
      setXError(null)
      const next = await (isLogin ? signIn : signUp)(read('email').trim(), read('password'))
      setResult(next)
      return { busy: next.kind === 'signed-in' }
    },
  })
  const continueWithX = async () => {
    setXError(null)
    const error = await startSignInWithX()
    setXError(error)
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
        form={form}
        disabled={withX.busy}
      />
      <p className="-mt-1 text-center text-sm text-ink-soft">
        {isLogin ? "Don't have an account? " : 'Already have an account? '}
        <Link href={isLogin ? '/?mode=signup' : '/'} className={`${TEXT_LINK} touch-area`}>
          {isLogin ? 'Sign up' : 'Login'}
        </Link>
      </p>
      <div className="flex flex-col gap-4">
        <p className="line-beside flex items-center gap-4 text-sm text-ink-faint">Or continue with</p>
        <Button loading={withX.busy} disabled={form.busy} onClick={() => void withX.submit(continueWithX)}>
          {!withX.busy && <XLogo />}
          Sign in with X
        </Button>
        {xError !== null && <XError>{xError}</XError>}
      </div>
      {isAnythingKept && (
        <Suspense>
          <KeptData />
        </Suspense>
      )}
    </AuthCard>
  )
}

/** Returns the error message, or null. */
async function startSignInWithX(): Promise<string | null> {
  try {
    const { signInWithX } = await X_SIGN_IN.load()
    return await signInWithX()
  } catch (failure) {
    return reportError('sign in with Twitter', failure)
  }
}

/** Below the button, and in view: on a phone, the button is at the bottom. */
function XError({ children }: { children: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <div ref={box}>
      <InlineError>{children}</InlineError>
    </div>
  )
}
