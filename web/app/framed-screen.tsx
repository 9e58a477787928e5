import { type ReactNode, Suspense } from 'react'
import { useSearch } from 'wouter'
import { AuthScreen } from '#web/features/sign-in/auth-screen.tsx'
import { authMode } from '#web/features/sign-in/auth-mode.ts'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import { keptFarewell } from '#web/lib/farewell.ts'
import type { ArrivalProblems } from './app.tsx'
import type { ScreenName } from './decide-route.ts'
import { GuestFrame } from './guest-frame.tsx'
import { Opened } from './opened.tsx'
import {
  CallbackScreen,
  DashboardRoute,
  ManageCategoriesScreen,
  NotFoundScreen,
  OpenFrame,
  AccountDataRoute,
  preloadScreen,
  PrivacyScreen,
  ResetPasswordScreen,
  SignedInFrame,
  TermsScreen,
} from './screens.ts'
import { Waiting } from './waiting.tsx'

interface FramedScreenProps {
  name: ScreenName
  problems: ArrivalProblems
}

/** A screen in its frame. Screens with the same frame share it: going from one to the other keeps what it holds. */
export function FramedScreen({ name, problems }: FramedScreenProps) {
  const mode = authMode(useSearch())
  switch (name) {
    case 'sign-in':
      return (
        <GuestFrame>
          <Opened title={SIGN_IN_TITLES[mode]} place={mode}>
            <AuthScreen
              productName={PRODUCT_NAME}
              arrivalError={problems.reported ?? problems.initialising}
              farewell={keptFarewell()}
              onEngaged={() => preloadScreen('dashboard')}
            />
          </Opened>
        </GuestFrame>
      )
    case 'reset-password':
      return (
        <GuestFrame>
          <Opened title="Set New Password" place={name}>
            <ResetPasswordScreen />
          </Opened>
        </GuestFrame>
      )
    case 'callback':
      return (
        <GuestFrame>
          <Opened title="Authentication Failed" place={name}>
            <CallbackScreen description={problems.reported} problem={problems.initialising} />
          </Opened>
        </GuestFrame>
      )
    case 'dashboard':
      return signedIn('Prayer Dashboard', name, <DashboardRoute />)
    case 'manage-categories':
      return signedIn('Manage Categories', name, <ManageCategoriesScreen />)
    case 'account-data':
      return signedIn('Your data', name, <AccountDataRoute />)
    case 'terms':
      return open('Terms of Service', name, <TermsScreen productName={PRODUCT_NAME} />)
    case 'privacy':
      return open('Privacy Policy', name, <PrivacyScreen productName={PRODUCT_NAME} />)
    case 'not-found':
      return open('Page not found', name, <NotFoundScreen />)
  }
}

const SIGN_IN_TITLES = { login: 'Sign in', signup: 'Create account', reset: 'Reset your password' }

function signedIn(title: string, place: ScreenName, screen: ReactNode) {
  return (
    <SignedInFrame>
      <Suspense fallback={<Waiting />}>
        <Opened title={title} place={place}>
          {screen}
        </Opened>
      </Suspense>
    </SignedInFrame>
  )
}

function open(title: string, place: ScreenName, screen: ReactNode) {
  return (
    <OpenFrame>
      <Suspense fallback={<Waiting />}>
        <Opened title={title} place={place}>
          {screen}
        </Opened>
      </Suspense>
    </OpenFrame>
  )
}
