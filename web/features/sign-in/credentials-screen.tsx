import { Suspense, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { EMAIL_MAX_LENGTH } from '#shared/limits.ts'
import { useKeptData } from '#web/data/kept-data.ts'
import { config, PRODUCT_NAME } from '#web/lib/config.ts'
import { reportError } from '#web/lib/error-message.ts'
import { lazyChunk, lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { whenIdle } from '#web/lib/loading/when-idle.ts'
import {
  emailError,
  MISSING_EMAIL,
  newPasswordError,
  passwordError,
  useNewPasswordHint,
} from '#web/lib/session/credentials.ts'
import { isKnownBrowser } from '#web/lib/session/stored-session.ts'
import { XLogo } from '#web/ui/brand-icons.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { EmailField, InlineError, PasswordField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { AuthCard } from './auth-card.tsx'
import { AUTH, type CredentialsResult, signIn, signUp } from './auth-requests.ts'
import { useInitialFocus } from './use-initial-focus.ts'

/** Few users need these: they are loaded after the screen. */
const X_SIGN_IN = lazyChunk(() => import('#web/lib/session/x-sign-in.ts'))
const KeptData = lazyComponent(async () => (await import('./kept-data-notice.tsx')).KeptData)
const AccountError = lazyComponent(async () => (await import('./check-email.tsx')).AccountError)
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
  const newPasswordHint = useNewPasswordHint()
  const [xError, setXError] = useState<string | null>(null)
  const withX = useSubmission()
  const isAnythingKept = useKeptData() !== null
  const isLogin = mode === 'login'
  useEffect(() => whenIdle(preload), [])

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
  useInitialFocus(form, email === '' ? 'email' : 'password')
  if (result?.kind === 'confirmation-sent') return <ConfirmAddress email={email} />
  // Whoever runs the server makes the accounts.
  if (!isLogin && config.isSignUpClosed) {
    return (
      <AuthCard title="Create account" text="New accounts are by invitation.">
        <OtherMode isLogin={false} />
      </AuthCard>
    )
  }
  return (
    <AuthCard
      title={isLogin ? 'Welcome back' : 'Create account'}
      text={isLogin ? `Login to your ${PRODUCT_NAME} account` : `Sign up for a new ${PRODUCT_NAME} account`}
    >
      {message && (
        <p role="status" className="rounded-md bg-info-soft px-4 py-3 text-sm text-info">
          {message}
        </p>
      )}
      <form {...form.props} className="flex flex-col gap-4">
        {result && 'error' in result && (
          <Suspense fallback={<InlineError>{result.error}</InlineError>}>
            {result.kind === 'failed' ? (
              <InlineError>{result.error}</InlineError>
            ) : (
              <AccountError
                kind={result.kind}
                message={result.error}
                email={email}
                onMissingEmail={() => form.show({ email: MISSING_EMAIL })}
              />
            )}
          </Suspense>
        )}
        <EmailField
          label="Email"
          maxLength={EMAIL_MAX_LENGTH}
          value={email}
          error={form.errors.email}
          onChange={({ currentTarget }) => onEmail(currentTarget.value)}
        />
        <div className="flex flex-col gap-2">
          <PasswordField
            label="Password"
            name="password"
            required
            autoComplete={isLogin ? 'current-password' : 'new-password'}
            error={form.errors.password}
            {...(isLogin ? {} : newPasswordHint)}
          />
          {isLogin && (
            <Link href="/?mode=reset" className={`${TEXT_LINK} touch-area self-end text-sm`}>
              Forgot your password?
            </Link>
          )}
        </div>
        <Button type="submit" variant="primary" loading={form.busy} disabled={withX.busy}>
          {isLogin
            ? form.busy
              ? 'Signing in...'
              : 'Sign In'
            : form.busy
              ? 'Signing up...'
              : 'Create Account'}
        </Button>
      </form>
      <OtherMode isLogin={isLogin} />
      <div className="flex flex-col gap-3">
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

function OtherMode({ isLogin }: { isLogin: boolean }) {
  const isFirstVisit = isLogin && !config.isSignUpClosed && !isKnownBrowser()
  return (
    <p className="flex flex-wrap items-center justify-center gap-2 text-sm text-ink-soft">
      {isLogin ? "Don't have an account? " : 'Already have an account? '}
      <Link
        href={isLogin ? '/?mode=signup' : '/'}
        className={
          isFirstVisit ? buttonStyle('primary', 'flex-1 whitespace-nowrap') : `${TEXT_LINK} touch-area`
        }
      >
        {isLogin ? 'Sign up' : 'Login'}
      </Link>
    </p>
  )
}

function preload(): void {
  for (const chunk of [AUTH, X_SIGN_IN]) chunk.load().catch(() => undefined)
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
