import { Suspense, useState } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import { returnPath, startPath } from '#web/lib/navigation/navigation-state.ts'
import { useRecovery } from '#web/lib/session/recovery.ts'
import { newVersion } from '#web/lib/loading/reload.ts'
import { useSession } from '#web/lib/session/session.ts'
import { useStore } from '#web/lib/storage/store.ts'
import { navigateAfterDialogs } from '#web/ui/close-on-back.ts'
import { decideRoute } from './decide-route.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { StartingScreen } from './layouts.tsx'
import type { InitialErrors } from './guest-screens.tsx'
import { FramedScreen } from './screens.tsx'

const NewVersionNotice = lazyComponent(
  async () => (await import('./new-version-notice.tsx')).NewVersionNotice,
)

const NO_ERRORS: InitialErrors = { reported: null, initialising: null }

/** The app, whose screens follow the URL. */
export function App({ initialErrors }: { initialErrors: InitialErrors }) {
  return (
    <Router aroundNav={(navigate, ...target) => navigateAfterDialogs(() => navigate(...target))}>
      <CurrentScreen initialErrors={initialErrors} />
    </Router>
  )
}

/** Shows the screen for the current URL and session. */
function CurrentScreen({ initialErrors }: { initialErrors: InitialErrors }) {
  const [path] = useLocation()
  const session = useSession()
  const { stage } = useRecovery()
  const reload = useStore(newVersion)
  const [errors, setErrors] = useState(initialErrors)
  if (session.status === 'signed-in' && errors !== NO_ERRORS) setErrors(NO_ERRORS)
  const decision = decideRoute({
    path,
    status: session.status,
    recovery: stage,
    returnPath: returnPath.get(),
    startPath: startPath(),
  })
  if ('redirect' in decision) return <Redirect to={decision.redirect} replace />
  return (
    <>
      <ErrorBoundary place={path}>
        <Suspense fallback={<StartingScreen />}>
          <FramedScreen name={decision.show} errors={errors} />
        </Suspense>
      </ErrorBoundary>
      {reload && (
        <Suspense fallback={null}>
          <NewVersionNotice onReload={reload} />
        </Suspense>
      )}
    </>
  )
}
