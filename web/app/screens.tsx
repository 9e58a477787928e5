import { type ReactNode, Suspense } from 'react'
import { useSearch } from 'wouter'
import { authMode, AuthScreen } from '#web/features/sign-in/auth-screen.tsx'
import { PRODUCT_NAME } from '#web/lib/config.ts'
import type { LinkFailure } from '#web/lib/session/initial-url.ts'
import { lazyComponent } from '#web/lib/loading/lazy-chunk.ts'
import {
  AUTH_CALLBACK,
  PRIVACY,
  RESET_PASSWORD,
  SIGN_IN,
  TERMS,
  TURN_OFF_REMINDER,
} from '#web/lib/navigation/routes.ts'
import type { ScreenName } from './decide-route.ts'
import { GuestLayout, Loading, PublicLayout } from './layouts.tsx'
import { Screen } from './screen.tsx'

const SignedInScreens = lazyComponent(async () => (await import('./signed-in-screens.tsx')).SignedInScreens)
const ResetPasswordScreen = lazyComponent(
  async () => (await import('#web/features/sign-in/reset-password-screen.tsx')).ResetPasswordScreen,
)
const CodeScreen = lazyComponent(
  async () => (await import('#web/features/sign-in/code-screen.tsx')).CodeScreen,
)
const CallbackScreen = lazyComponent(
  async () => (await import('#web/features/sign-in/callback-screen.tsx')).CallbackScreen,
)
const TermsScreen = lazyComponent(
  async () => (await import('#web/features/legal/terms-screen.tsx')).TermsScreen,
)
const PrivacyScreen = lazyComponent(
  async () => (await import('#web/features/legal/privacy-screen.tsx')).PrivacyScreen,
)
const TurnOffReminderScreen = lazyComponent(
  async () =>
    (await import('#web/features/settings/reminders/turn-off-reminder-screen.tsx')).TurnOffReminderScreen,
)
const NotFoundScreen = lazyComponent(async () => (await import('./not-found-screen.tsx')).NotFoundScreen)

/** The screens that are not part of the first download. */
const CHUNKS: Record<Exclude<ScreenName, typeof SIGN_IN>, { preload: () => void }> = {
  'signed-in': SignedInScreens,
  code: CodeScreen,
  [RESET_PASSWORD]: ResetPasswordScreen,
  [AUTH_CALLBACK]: CallbackScreen,
  [TERMS]: TermsScreen,
  [PRIVACY]: PrivacyScreen,
  [TURN_OFF_REMINDER]: TurnOffReminderScreen,
  'not-found': NotFoundScreen,
}

/** Loads the chunk of a screen ahead of time. */
export function preloadScreen(screen: ScreenName): void {
  if (screen !== SIGN_IN) CHUNKS[screen].preload()
}

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
    case SIGN_IN:
      return (
        <GuestLayout>
          <Screen title={SIGN_IN_TITLES[mode]} place={mode}>
            <AuthScreen
              linkFailure={errors.reported}
              initialising={errors.initialising}
              onIdle={SignedInScreens.preload}
            />
          </Screen>
        </GuestLayout>
      )
    case RESET_PASSWORD:
      return (
        <GuestLayout>
          <Screen title="Set New Password" place={name}>
            <ResetPasswordScreen />
          </Screen>
        </GuestLayout>
      )
    case AUTH_CALLBACK:
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
    case 'code':
      return (
        <GuestLayout>
          <Suspense fallback={<Loading />}>
            <Screen title="Two-factor sign-in" place={name}>
              <CodeScreen />
            </Screen>
          </Suspense>
        </GuestLayout>
      )
    case 'signed-in':
      return <SignedInScreens />
    case TERMS:
      return inPublicLayout('Terms of Service', name, <TermsScreen productName={PRODUCT_NAME} />)
    case PRIVACY:
      return inPublicLayout('Privacy Policy', name, <PrivacyScreen productName={PRODUCT_NAME} />)
    case TURN_OFF_REMINDER:
      return inPublicLayout('Turn off a reminder', name, <TurnOffReminderScreen />)
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
