import { type ReactNode, Suspense, useEffect } from 'react'
import { useSearch } from 'wouter'
import { authMode, AuthScreen } from '#web/features/sign-in/auth-screen.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import type { LinkFailure } from '#web/lib/initial-url.ts'
import type { ScreenName } from './decide-route.ts'
import { GuestLayout, Loading, PublicLayout } from './layouts.tsx'
import {
  AccountDataScreen,
  CallbackScreen,
  DashboardScreen,
  ManageCategoriesScreen,
  NotFoundScreen,
  preloadScreen,
  PrivacyScreen,
  ResetPasswordScreen,
  SignedInLayout,
  TermsScreen,
} from './screens.ts'

/** Error messages for what failed before the first screen. */
export interface InitialErrors {
  /** Reported by an emailed link or by X, in the URL. */
  reported: LinkFailure | null
  /** From loading the session. */
  initialising: string | null
}

interface FramedScreenProps {
  name: ScreenName
  errors: InitialErrors
}

/** A screen in its layout. Screens with the same layout share its instance, so its state survives navigation. */
export function FramedScreen({ name, errors }: FramedScreenProps) {
  const mode = authMode(useSearch())
  switch (name) {
    case 'sign-in':
      return (
        <GuestLayout>
          <Screen title={SIGN_IN_TITLES[mode]} place={mode}>
            <AuthScreen
              linkFailure={errors.reported}
              initialising={errors.initialising}
              onInput={() => preloadScreen('dashboard')}
            />
          </Screen>
        </GuestLayout>
      )
    case 'reset-password':
      return (
        <GuestLayout>
          <Screen title="Set New Password" place={name}>
            <ResetPasswordScreen />
          </Screen>
        </GuestLayout>
      )
    case 'callback':
      return (
        <GuestLayout>
          <Screen title="Authentication Failed" place={name}>
            <CallbackScreen
              reported={errors.reported?.description ?? null}
              initialising={errors.initialising}
            />
          </Screen>
        </GuestLayout>
      )
    case 'dashboard':
      return inSignedInLayout('Prayer Dashboard', name, <DashboardScreen />)
    case 'manage-categories':
      return inSignedInLayout('Manage Categories', name, <ManageCategoriesScreen />)
    case 'account-data':
      return inSignedInLayout('Your data', name, <AccountDataScreen />)
    case 'terms':
      return inPublicLayout('Terms of Service', name, <TermsScreen productName={PRODUCT_NAME} />)
    case 'privacy':
      return inPublicLayout('Privacy Policy', name, <PrivacyScreen productName={PRODUCT_NAME} />)
    case 'not-found':
      return inPublicLayout('Page not found', name, <NotFoundScreen />)
  }
}

const SIGN_IN_TITLES = { login: 'Sign in', signup: 'Create account', reset: 'Reset your password' }

function inSignedInLayout(title: string, place: ScreenName, screen: ReactNode) {
  return (
    <SignedInLayout onIdle={preloadListScreens}>
      <Suspense fallback={<Loading />}>
        <Screen title={title} place={place}>
          {screen}
        </Screen>
      </Suspense>
    </SignedInLayout>
  )
}

function inPublicLayout(title: string, place: ScreenName, screen: ReactNode) {
  return (
    <PublicLayout>
      <Suspense fallback={<Loading />}>
        <Screen title={title} place={place}>
          {screen}
        </Screen>
      </Suspense>
    </PublicLayout>
  )
}

function preloadListScreens(): void {
  preloadScreen('dashboard')
  preloadScreen('manage-categories')
}

interface ScreenProps {
  title: string
  /** Changes with every navigation. */
  place: string
  children: ReactNode
}

/** Sets the document's title, and after navigation moves the focus to the heading. */
function Screen({ title, place, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT_NAME}`
  }, [title])
  useEffect(focusHeading, [place])
  return children
}

let isInitialScreen = true
let shownUrl = ''
let wentBack = false
addEventListener('popstate', () => {
  // Closing a dialog is a step in the history too, but does not change the screen.
  wentBack = location.pathname + location.search !== shownUrl
})

/**
 * Leaves the focus and scroll position of the initial screen, and the scroll position after "back", to the browser; and the
 * focus to the screen if it has a field that should have it.
 */
function focusHeading(): void {
  shownUrl = location.pathname + location.search
  if (isInitialScreen) {
    isInitialScreen = false
    return
  }
  if (!document.activeElement?.matches('main input')) {
    const heading = document.querySelector<HTMLElement>('main h1')
    if (heading) heading.tabIndex = -1
    heading?.focus({ preventScroll: true })
  }
  if (!wentBack) scrollTo({ top: 0, behavior: 'instant' })
  wentBack = false
}
