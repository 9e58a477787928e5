import { type ReactNode, Suspense } from 'react'
import { useSearch } from 'wouter'
import { authMode, AuthScreen } from '#web/features/sign-in/auth-screen.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import type { LinkFailure } from '#web/lib/initial-url.ts'
import type { ScreenName } from './decide-route.ts'
import { GuestLayout, Loading, PublicLayout } from './layouts.tsx'
import { Screen } from './screen.tsx'
import {
  CallbackScreen,
  NotFoundScreen,
  preloadScreen,
  PrivacyScreen,
  ResetPasswordScreen,
  SignedInScreens,
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
              onInput={() => preloadScreen('signed-in')}
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
    case 'signed-in':
      return <SignedInScreens />
    case 'terms':
      return inPublicLayout('Terms of Service', name, <TermsScreen productName={PRODUCT_NAME} />)
    case 'privacy':
      return inPublicLayout('Privacy Policy', name, <PrivacyScreen productName={PRODUCT_NAME} />)
    case 'not-found':
      return inPublicLayout('Page not found', name, <NotFoundScreen />)
  }
}

const SIGN_IN_TITLES = { login: 'Sign in', signup: 'Create account', reset: 'Reset your password' }

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
