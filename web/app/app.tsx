import { Suspense, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { keptDeepLink } from '#web/lib/deep-link.ts'
import { useRecovery } from '#web/lib/recovery.ts'
import { useSession } from '#web/lib/session.ts'
import { decideRoute } from './decide-route.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { FramedScreen } from './framed-screen.tsx'
import { Waiting } from './waiting.tsx'

/** What went wrong on the way here, in words for the person. */
export interface ArrivalProblems {
  /** What a link or another service reported. */
  reported: string | null
  /** What failed while the session was initialised. */
  initialising: string | null
}

const NONE: ArrivalProblems = { reported: null, initialising: null }

/** Decides what the visitor gets to see. */
export function App({ problems }: { problems: ArrivalProblems }) {
  const [path] = useLocation()
  const session = useSession()
  const { stage } = useRecovery()
  const [shownProblems, setShownProblems] = useState(problems)
  const signedIn = session.status === 'signed-in'
  if (signedIn && shownProblems !== NONE) setShownProblems(NONE)
  const decision = decideRoute({
    path,
    signedIn,
    recovery: stage,
    deepLink: keptDeepLink(),
  })
  if ('redirect' in decision) return <Redirect to={decision.redirect} replace />
  return (
    <ErrorBoundary place={path}>
      <Suspense fallback={<Waiting />}>
        <FramedScreen name={decision.show} problems={shownProblems} />
      </Suspense>
    </ErrorBoundary>
  )
}
