import { Suspense } from 'react'
import { useLocation } from 'wouter'
import { lazyComponent } from '#web/lib/lazy-chunk.ts'
import { ACCOUNT_DATA, MANAGE_CATEGORIES } from '#web/lib/paths.ts'
import { withoutTrailingSlash } from './decide-route.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Loading } from './layouts.tsx'
import { PLACES } from './places.tsx'
import { Screen } from './screen.tsx'
import { SignedInLayout } from './signed-in-layout.tsx'

/** The places, and the screens that are opened from them. */
const SCREENS = [
  ...PLACES,
  {
    path: MANAGE_CATEGORIES,
    title: 'Manage Categories',
    Screen: lazyComponent(
      async () =>
        (await import('#web/features/categories/manage-categories-screen.tsx')).ManageCategoriesScreen,
    ),
  },
  {
    path: ACCOUNT_DATA,
    title: 'Your data',
    Screen: lazyComponent(
      async () => (await import('#web/features/settings/account-data-screen.tsx')).AccountDataScreen,
    ),
  },
]

/** The screens for signed-in users, in their layout: its state survives navigation. */
export function SignedInScreens() {
  const [location] = useLocation()
  const path = withoutTrailingSlash(location)
  const current = SCREENS.find((screen) => screen.path === path)
  return (
    <SignedInLayout onIdle={preloadScreens}>
      <ErrorBoundary isInLayout place={path}>
        <Suspense fallback={<Loading />}>
          {current && (
            <Screen title={current.title} place={path}>
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
  for (const screen of SCREENS) if ('preload' in screen.Screen) screen.Screen.preload?.()
}
