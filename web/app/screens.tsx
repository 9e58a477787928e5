import { Suspense } from 'react'
import { useSearch } from 'wouter'
import { authMode, AuthScreen } from '#web/features/sign-in/auth-screen.tsx'
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
import type { InitialErrors } from './guest-screens.tsx'
import { GuestLayout, Loading } from './layouts.tsx'
import { Screen } from './screen.tsx'

const SignedInScreens = lazyComponent(async () => (await import('./signed-in-screens.tsx')).SignedInScreens)
const GuestScreens = lazyComponent(async () => (await import('./guest-screens.tsx')).GuestScreens)
const PublicScreens = lazyComponent(async () => (await import('./public-screens.tsx')).PublicScreens)

/** The screens that are not part of the first download. */
const CHUNKS: Record<Exclude<ScreenName, typeof SIGN_IN>, { preload: () => void }> = {
  'signed-in': SignedInScreens,
  code: GuestScreens,
  [RESET_PASSWORD]: GuestScreens,
  [AUTH_CALLBACK]: GuestScreens,
  [TERMS]: PublicScreens,
  [PRIVACY]: PublicScreens,
  [TURN_OFF_REMINDER]: PublicScreens,
  'not-found': PublicScreens,
}

/** Loads the chunk of a screen ahead of time. */
export function preloadScreen(screen: ScreenName): void {
  if (screen !== SIGN_IN) CHUNKS[screen].preload()
}

/** What is needed after signing in: for everybody, then to ask for a prayer key. */
function preloadSignedIn(): void {
  SignedInScreens.preload()
  import('./signed-in-layout.tsx').then(
    ({ EncryptionProblem }) => EncryptionProblem.preload(),
    () => undefined,
  )
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
              onIdle={preloadSignedIn}
            />
          </Screen>
        </GuestLayout>
      )
    case RESET_PASSWORD:
    case AUTH_CALLBACK:
    case 'code':
      return (
        <GuestLayout>
          <Suspense fallback={<Loading />}>
            <GuestScreens name={name} errors={errors} />
          </Suspense>
        </GuestLayout>
      )
    case 'signed-in':
      return <SignedInScreens />
    case TERMS:
    case PRIVACY:
    case TURN_OFF_REMINDER:
    case 'not-found':
      return <PublicScreens name={name} />
  }
}

const SIGN_IN_TITLES = { login: 'Sign in', signup: 'Create account', reset: 'Reset your password' }
