import { isAuthError, type User } from '@supabase/auth-js'
import { useEffect, useEffectEvent, useState } from 'react'
import { deleteAccount, type DeletionPreview, fetchDeletionPreview } from '#web/data/account-data.ts'
import { forgetEncryption } from '#web/data/encryption.ts'
import { reportError } from '#web/lib/error-message.ts'
import { pendingDeletion, returnPath } from '#web/lib/navigation/navigation-state.ts'
import { YOUR_DATA } from '#web/lib/navigation/routes.ts'
import { isAccountGone, signOutDeletedAccount } from '#web/lib/session/account-deletion.ts'
import { appsOf } from '#web/lib/session/second-factor.ts'
import { session } from '#web/lib/session/session.ts'
import { hasPassword, hasXIdentity } from '#web/lib/session/user-profile.ts'
import { signInWithX } from '#web/lib/session/x-sign-in.ts'
import { useSubmission } from '#web/ui/use-submission.ts'
import { replaceSession } from '../prayer-key/recent-sign-in.tsx'

/** How a user proves their identity before the account is deleted. */
export type DeletionProof = 'password' | 'password-or-x' | 'x' | 'recent-sign-in'

export interface DeletionError {
  message: string
  /** Whether it is about the password that was entered. */
  isWrongPassword: boolean
}

interface Confirmation {
  step: 'confirm'
  preview: DeletionPreview
  proof: DeletionProof
  error: DeletionError | null
}

type DeletionState = { step: 'idle'; error: string | null } | { step: 'loading' } | Confirmation

const WRONG_PASSWORD = 'This is not the password of your account. Nothing was deleted.'
const IDLE: DeletionState = { step: 'idle', error: null }

/** Deletes the account, after showing what would be deleted and asking for proof. */
export function useDeletion(user: User) {
  const [state, setState] = useState<DeletionState>(() =>
    // Another user may have signed in with X.
    pendingDeletion.get() === user.id ? { step: 'loading' } : IDLE,
  )
  const { busy, submit } = useSubmission()

  const run = (confirmation: Confirmation, action: () => Promise<DeletionError | null>) =>
    void submit(async () => {
      setState({ ...confirmation, error: null })
      const error = await action()
      if (error !== null) setState({ ...confirmation, error })
      return { busy: error === null }
    })
  const continueAfterSignIn = useEffectEvent(() => {
    pendingDeletion.set(null)
    if (state.step === 'loading') void loadConfirmation(user).then(setState)
  })
  useEffect(() => {
    continueAfterSignIn()
    // The browser's back button may restore the page as it was before the redirect to X.
    const resetOnReturn = (event: PageTransitionEvent) => {
      if (event.persisted) setState(IDLE)
    }
    addEventListener('pageshow', resetOnReturn)
    return () => removeEventListener('pageshow', resetOnReturn)
  }, [])

  return {
    state,
    busy,
    start: () => {
      setState({ step: 'loading' })
      void loadConfirmation(user).then(setState)
    },
    cancel: () => setState(IDLE),
    /** With the password if it is the proof, else null. */
    confirm: (confirmation: Confirmation, password: string | null) =>
      run(confirmation, () => deleteWithProof(user, password)),
    signInWithX: (confirmation: Confirmation) => run(confirmation, () => signInAgainWithX(user)),
  }
}

async function loadConfirmation(user: User): Promise<DeletionState> {
  try {
    const preview = await fetchDeletionPreview()
    return { step: 'confirm', preview, proof: proofFor(user, preview.signed_in_lately), error: null }
  } catch (failure) {
    return { step: 'idle', error: reportError('delete your account', failure) }
  }
}

/**
 * Users who only have a password enter it. Users with an X identity sign in with X again unless they have just done so;
 * if they also have an email identity, they may enter a password instead, but may not have set one. With two-factor sign-in, the
 * password begins a session that needs a code, and they return as users who have just signed in.
 */
export function proofFor(user: User, signedInLately: boolean): DeletionProof {
  if (signedInLately && (hasXIdentity(user) || appsOf(user).length > 0)) return 'recent-sign-in'
  if (!hasXIdentity(user)) return 'password'
  return hasPassword(user) ? 'password-or-x' : 'x'
}

/** Returns null if the browser is being redirected to X. */
async function signInAgainWithX(user: User): Promise<DeletionError | null> {
  pendingDeletion.set(user.id)
  returnPath.set(YOUR_DATA)
  const error = await signInWithX()
  if (error === null) return null
  pendingDeletion.set(null)
  returnPath.set(null)
  return { message: error, isWrongPassword: false }
}

/** Signs in with the password, if given, then deletes the account and the session. Returns null if another screen takes over. */
async function deleteWithProof(user: User, password: string | null): Promise<DeletionError | null> {
  if (password !== null) {
    try {
      await replaceSession(user, password)
    } catch (failure) {
      const message = reportError('sign in', failure)
      const isWrongPassword = isAuthError(failure) && failure.code === 'invalid_credentials'
      return errorUnlessDeleted(user, {
        message: isWrongPassword ? WRONG_PASSWORD : message,
        isWrongPassword,
      })
    }
    if (session.get().status === 'needs-code') {
      pendingDeletion.set(user.id)
      return null
    }
  }
  try {
    await deleteAccount()
  } catch (failure) {
    const message = reportError('delete your account', failure)
    return errorUnlessDeleted(user, { message, isWrongPassword: false })
  }
  forgetAccount(user)
  return null
}

/** After an error, the account may still be deleted: by an earlier request whose response was lost. */
async function errorUnlessDeleted(user: User, error: DeletionError): Promise<DeletionError | null> {
  try {
    if (!(await isAccountGone())) return error
  } catch {
    return error
  }
  forgetAccount(user)
  return null
}

function forgetAccount({ id }: User): void {
  forgetEncryption(id)
  signOutDeletedAccount()
}
