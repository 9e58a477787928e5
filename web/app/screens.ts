import { lazyComponent } from '#web/lib/lazy-chunk.ts'
import type { ScreenName } from './decide-route.ts'

export const SignedInScreens = lazyComponent(
  async () => (await import('./signed-in-screens.tsx')).SignedInScreens,
)
export const ResetPasswordScreen = lazyComponent(
  async () => (await import('#web/features/sign-in/reset-password-screen.tsx')).ResetPasswordScreen,
)
export const CallbackScreen = lazyComponent(
  async () => (await import('#web/features/sign-in/callback-screen.tsx')).CallbackScreen,
)
export const TermsScreen = lazyComponent(
  async () => (await import('#web/features/legal/terms-screen.tsx')).TermsScreen,
)
export const PrivacyScreen = lazyComponent(
  async () => (await import('#web/features/legal/privacy-screen.tsx')).PrivacyScreen,
)
export const NotFoundScreen = lazyComponent(
  async () => (await import('./not-found-screen.tsx')).NotFoundScreen,
)

export const NewVersionNotice = lazyComponent(
  async () => (await import('./new-version-notice.tsx')).NewVersionNotice,
)

const CHUNKS: Partial<Record<ScreenName, { preload: () => void }>> = {
  'signed-in': SignedInScreens,
  'reset-password': ResetPasswordScreen,
  callback: CallbackScreen,
  terms: TermsScreen,
  privacy: PrivacyScreen,
  'not-found': NotFoundScreen,
}

/** Loads the chunk of a screen ahead of time. */
export function preloadScreen(screen: ScreenName): void {
  CHUNKS[screen]?.preload()
}
