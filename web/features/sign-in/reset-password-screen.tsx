import type { User } from '@supabase/auth-js'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { BOTH_KEYS_QUESTION, KEY_QUESTION, UNSURE_QUESTION } from '#web/data/key-question-texts.ts'
import { config, PRODUCT_NAME } from '#web/lib/config.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { SIGN_IN } from '#web/lib/navigation/routes.ts'
import { memoryClient } from '#web/lib/session/auth-client.ts'
import { authConnection } from '#web/lib/session/auth-connection.ts'
import { currentRecovery, endRecovery, type Recovery, useRecovery } from '#web/lib/session/recovery.ts'
import { appsOf, recoveryTarget } from '#web/lib/session/second-factor.ts'
import { signOut } from '#web/lib/session/session.ts'
import { needsCode } from '#web/lib/session/stored-session.ts'
import { confirmationError, newPasswordError, useNewPasswordHint } from '#web/lib/session/credentials.ts'
import { emailIn } from '#web/lib/session/sign-up-memory.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { InlineError, PasswordField } from '#web/ui/fields.tsx'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { AuthCard } from './auth-card.tsx'
import { CodeCard } from './code-card.tsx'
import { setPassword } from './set-password.ts'

/**
 * `/reset-password`: opened by the link in a reset email, by an invitation, or by the link that confirms an address, if it was not
 * signed up in this browser.
 */
export function ResetPasswordScreen() {
  const recovery = useRecovery()
  const account = useAccount()
  const [, navigate] = useLocation()
  const { busy, submit } = useSubmission()
  const endAndSignOut = async () => {
    // The new password has signed in.
    if (currentRecovery().stage !== 'open') await signOut()
    endRecovery()
    navigate(SIGN_IN)
  }
  const goToLogin = () => void submit(endAndSignOut)
  if (recovery.stage === 'done') return <PasswordUpdated busy={busy} onGoToLogin={goToLogin} />
  if (recovery.stage === 'failed') return <FailedLink message={recovery.message} />
  const backToLogin = (
    <button type="button" onClick={goToLogin} className={`${TEXT_LINK} self-center text-sm`}>
      Back to Login
    </button>
  )
  const user = account?.user
  if (recovery.stage === 'open' && user && needsCode({ access_token: recovery.accessToken, user })) {
    return (
      <CodeCard apps={appsOf(user)} target={recoveryTarget}>
        {backToLogin}
      </CodeCard>
    )
  }
  return (
    <AuthCard {...purposeOf(recovery)}>
      {account ? <NewPasswordForm keyQuestion={account.keyQuestion} /> : <Checking />}
      {backToLogin}
    </AuthCard>
  )
}

function purposeOf(recovery: Recovery): { title: string; text: ReactNode } {
  const link = recovery.stage === 'open' ? recovery.link : 'recovery'
  const email = recovery.stage === 'open' ? emailIn(recovery.accessToken) : ''
  switch (link) {
    case 'confirmation':
      return { title: 'Set Your Password', text: <WhyChoose email={email} /> }
    case 'invitation':
      return { title: `Welcome to ${PRODUCT_NAME}`, text: <WhyInvited email={email} /> }
    case 'recovery':
      return { title: 'Set New Password', text: 'Choose a password that you use nowhere else.' }
  }
}

interface Account {
  /** Null if that could not be found out: setting the password then says why. */
  user: User | null
  /** What to ask before the password is changed; null if nothing. */
  keyQuestion: string | null
}

/** The account of the link; undefined until it is known. */
function useAccount(): Account | undefined {
  const recovery = useRecovery()
  const { link, accessToken } = recovery.stage === 'open' ? recovery : { link: null, accessToken: null }
  const [known, setKnown] = useState<{ token: string; account: Account }>()
  useEffect(() => {
    if (accessToken === null) return undefined
    let isCurrent = true
    void accountOf(accessToken, link).then(
      (account) => isCurrent && setKnown({ token: accessToken, account }),
    )
    return () => {
      isCurrent = false
    }
  }, [accessToken, link])
  // Before a code was given, another token, the server does not say whether the account is encrypted.
  return known?.token === accessToken ? known.account : undefined
}

async function accountOf(token: string, link: 'recovery' | 'confirmation' | 'invitation'): Promise<Account> {
  const [{ data }, keyQuestion] = await Promise.all([
    memoryClient().getUser(token),
    // The others are of accounts that nobody has used.
    link === 'recovery' ? fetchKeyQuestion(token) : null,
  ])
  return { user: data.user, keyQuestion }
}

/**
 * What to ask before a new password signs out all devices; null if the account is not encrypted. This browser may never have seen the
 * account, so the server is asked.
 *
 * @param accessToken of the emailed link
 */
async function fetchKeyQuestion(accessToken: string): Promise<string | null> {
  try {
    const inUse = 'select=state&state=in.(encrypting,on,decrypting)'
    const response = await fetchWithTimeout(`${config.url}/rest/v1/encryption_keys?${inUse}`, {
      headers: { ...authConnection.headers, Authorization: `Bearer ${accessToken}` },
    })
    const keys: unknown = await response.json()
    if (!response.ok || !Array.isArray(keys)) return UNSURE_QUESTION
    if (keys.length === 0) return null
    return keys.length > 1 ? BOTH_KEYS_QUESTION : KEY_QUESTION
  } catch {
    return UNSURE_QUESTION
  }
}

/** While it is not known whether the account needs a code first. */
function Checking() {
  return (
    <p role="status" className="appear-late flex justify-center py-6 text-ink-faint">
      <Spinner className="size-7" />
      <span className="sr-only">Loading...</span>
    </p>
  )
}

function WhyChoose({ email }: { email: string }) {
  return (
    <>
      <strong className="text-ink">{email || 'Your address'}</strong> is confirmed. You signed up in another
      browser, or someone else did, so please enter the password you chose, or a new one. No other will work
      from then on.
    </>
  )
}

function WhyInvited({ email }: { email: string }) {
  return (
    <>
      You are invited. Choose a password that you use nowhere else, and the account for{' '}
      <strong className="text-ink">{email || 'your address'}</strong> is ready.
    </>
  )
}

function NewPasswordForm({ keyQuestion }: { keyQuestion: string | null }) {
  const newPasswordHint = useNewPasswordHint()
  const form = useForm({
    check: (read) => {
      const password = read('new-password')
      return {
        password: newPasswordError(password),
        confirmation: confirmationError(password, read('confirm-password')),
      }
    },
    save: async (read) => ({ error: await setPassword(read('new-password')) }),
  })
  return (
    <form {...form.props} className="flex flex-col gap-5">
      {form.error && <InlineError>{form.error}</InlineError>}
      {keyQuestion && (
        <p className="text-ink-soft">A new password signs out all your devices. {keyQuestion}</p>
      )}
      <PasswordField
        label="New Password"
        name="new-password"
        required
        autoComplete="new-password"
        error={form.errors.password}
        {...newPasswordHint}
      />
      <PasswordField
        label="Confirm Password"
        name="confirm-password"
        required
        autoComplete="new-password"
        error={form.errors.confirmation}
      />
      <Button type="submit" variant="primary" loading={form.busy}>
        {form.busy ? 'Updating Password...' : 'Update Password'}
      </Button>
    </form>
  )
}

function PasswordUpdated({ busy, onGoToLogin }: { busy: boolean; onGoToLogin: () => void }) {
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

function FailedLink({ message }: { message: string }) {
  return (
    <AuthCard title="Set New Password">
      <InlineError>{message}</InlineError>
      <p className="text-ink-soft">
        A link works once, and only for an hour, or seven days if it is an invitation. You can have a new one
        sent to your address, or sign in if you know your password.
      </p>
      <Link href="/?mode=reset" onClick={endRecovery} className={buttonStyle('primary')}>
        Request a new link
      </Link>
      <Link href={SIGN_IN} onClick={endRecovery} className={`${TEXT_LINK} self-center text-sm`}>
        Back to Login
      </Link>
    </AuthCard>
  )
}
