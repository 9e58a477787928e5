import { useEffect } from 'react'
import { refreshUser } from '#web/lib/session/change-account.ts'
import { appsOf, ownTarget } from '#web/lib/session/second-factor.ts'
import { signOut, useSession } from '#web/lib/session/session.ts'
import { TEXT_LINK } from '#web/ui/link.tsx'
import { useSubmission } from '#web/ui/use-submission.ts'
import { CodeCard } from './code-card.tsx'

/** In place of every screen of a user who has signed in, but not given a code yet (two-factor sign-in). */
export function CodeScreen() {
  const session = useSession()
  const { busy, submit } = useSubmission()
  useEffect(() => {
    // Another device may have removed an app, or ended the session. Otherwise what this one knows counts.
    refreshUser().catch(() => undefined)
  }, [])
  if (session.status !== 'needs-code') return null
  return (
    <CodeCard apps={appsOf(session.user)} target={ownTarget}>
      <button
        type="button"
        aria-disabled={busy || undefined}
        onClick={() => void submit(() => signOut('local', 'no-code'))}
        className={`${TEXT_LINK} min-h-11 text-start text-sm`}
      >
        {busy ? 'Signing out...' : 'Back to Login'}
      </button>
    </CodeCard>
  )
}
