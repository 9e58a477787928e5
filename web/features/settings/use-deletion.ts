import type { User } from '@supabase/auth-js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { forgetDeepLink, keepDeepLink } from '#web/lib/deep-link.ts'
import { reportError } from '#web/lib/error-message.ts'
import { ACCOUNT_DATA } from '#web/lib/paths.ts'
import { forgetDeletionIntent, isDeletionIntendedBy, keepDeletionIntent } from './deletion-intent.ts'
import { type DeletionProof, proofFor } from './deletion-proof.ts'
import { type DeletionPreview, fetchDeletionPreview } from './account-data-requests.ts'
import { performDeletion } from './perform-deletion.ts'

export type DeletionState =
  | { step: 'resting'; error: string | null }
  | { step: 'counting' }
  | { step: 'asking'; preview: DeletionPreview; proof: DeletionProof; busy: boolean; error: string | null }

const RESTING: DeletionState = { step: 'resting', error: null }

type Asking = Extract<DeletionState, { step: 'asking' }>

/** From the wish to delete the account, over what that means and the proof that it is one's own, to the deletion. */
export function useDeletion(user: User, signInWithX: () => Promise<string | null>) {
  const [state, setState] = useState<DeletionState>(() =>
    isDeletionIntendedBy(user.id) ? { step: 'counting' } : RESTING,
  )
  const underWay = useRef(false)

  const attempt = async (asking: Asking, run: () => Promise<string | null>) => {
    if (underWay.current) return
    underWay.current = true
    setState({ ...asking, busy: true, error: null })
    const error = await run()
    underWay.current = false
    // Without an error this screen is about to go.
    if (error !== null) setState({ ...asking, busy: false, error })
  }
  const comeBackFromX = async () => {
    keepDeletionIntent(user.id)
    keepDeepLink(ACCOUNT_DATA)
    const error = await signInWithX()
    if (error === null) return null
    forgetDeletionIntent()
    forgetDeepLink()
    return error
  }
  const goOnAfterX = useEffectEvent(() => {
    forgetDeletionIntent()
    if (state.step === 'counting') void countFor(user).then(setState)
  })
  useEffect(() => {
    goOnAfterX()
    // Coming back from X with the browser's button finds the page as it was left, waiting to leave.
    const comeBack = (event: PageTransitionEvent) => {
      if (event.persisted) setState(RESTING)
    }
    addEventListener('pageshow', comeBack)
    return () => removeEventListener('pageshow', comeBack)
  }, [])

  return {
    state,
    ask: () => {
      setState({ step: 'counting' })
      void countFor(user).then(setState)
    },
    cancel: () => setState(RESTING),
    confirm: (asking: Asking, password: string | null) =>
      void attempt(asking, () => performDeletion(user, password)),
    leaveForX: (asking: Asking) => void attempt(asking, comeBackFromX),
  }
}

/** Finds out what would be lost, and how the person is to show who they are. */
async function countFor(user: User): Promise<DeletionState> {
  try {
    const preview = await fetchDeletionPreview()
    const proof = proofFor(user, preview.signed_in_lately)
    return { step: 'asking', preview, proof, busy: false, error: null }
  } catch (failure) {
    return { step: 'resting', error: reportError('delete your account', failure) }
  }
}
