import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { listedPath, SIGNED_IN_PATHS } from '#web/lib/navigation/routes.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Loading } from './layouts.tsx'
import { Screen } from './screen.tsx'
import { SignedInLayout } from './signed-in-layout.tsx'
import { SIGNED_IN_ROUTES } from './signed-in-routes.tsx'

/** The screens for signed-in users, in their layout: its state survives navigation. */
export function SignedInScreens() {
  const [location] = useLocation()
  const shown = SIGNED_IN_PATHS.find((listed) => listed === listedPath(location))
  const current = shown && SIGNED_IN_ROUTES[shown]
  return (
    <SignedInLayout onIdle={preloadScreens}>
      <ErrorBoundary isInLayout place={location}>
        <Suspense fallback={<Loading />}>
          {current && (
            <Screen title={current.title} place={location}>
              <current.Screen />
            </Screen>
          )}
        </Suspense>
      </ErrorBoundary>
    </SignedInLayout>
  )
}

/** So that they open without the network. */
function preloadScreens(): void {
  for (const { Screen: Shown } of Object.values(SIGNED_IN_ROUTES)) Shown.preload?.()
}
