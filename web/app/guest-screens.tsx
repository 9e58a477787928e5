import { CallbackScreen } from '#web/features/sign-in/callback-screen.tsx'
import { CodeScreen } from '#web/features/sign-in/code-screen.tsx'
import { ResetPasswordScreen } from '#web/features/sign-in/reset-password-screen.tsx'
import type { LinkFailure } from '#web/lib/session/initial-url.ts'
import { AUTH_CALLBACK, RESET_PASSWORD } from '#web/lib/navigation/routes.ts'
import { Screen } from './screen.tsx'

/** Error messages for what failed before the first screen. */
export interface InitialErrors {
  /** Reported by an emailed link or by X, in the URL. */
  reported: LinkFailure | null
  /** From loading the session. */
  initialising: string | null
}

interface GuestScreensProps {
  name: typeof RESET_PASSWORD | typeof AUTH_CALLBACK | 'code'
  errors: InitialErrors
}

/** The screens of the sign-in layout that few visits show. */
export function GuestScreens({ name, errors: { reported, initialising } }: GuestScreensProps) {
  switch (name) {
    case RESET_PASSWORD:
      return (
        <Screen title="Set New Password" place={name}>
          <ResetPasswordScreen />
        </Screen>
      )
    case AUTH_CALLBACK:
      return (
        <Screen title="Authentication Failed" place={name}>
          <CallbackScreen reported={reported?.description ?? null} initialising={initialising} />
        </Screen>
      )
    case 'code':
      return (
        <Screen title="Two-factor sign-in" place={name}>
          <CodeScreen />
        </Screen>
      )
  }
}
