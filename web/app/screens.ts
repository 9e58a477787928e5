import { lazyComponent } from '#web/lib/lazy-chunk.ts'
import type { ScreenName } from './decide-route.ts'

export const SignedInLayout = lazyComponent(
  async () => (await import('./signed-in-layout.tsx')).SignedInLayout,
)
export const DashboardScreen = lazyComponent(
  async () => (await import('#web/features/prayers/dashboard-screen.tsx')).DashboardScreen,
)
export const ManageCategoriesScreen = lazyComponent(
  async () => (await import('#web/features/categories/manage-categories-screen.tsx')).ManageCategoriesScreen,
)
/** Used by both the dashboard and category management, which load them when they are opened. */
const Dialogs = lazyComponent(
  async () => (await import('#web/features/prayers/dashboard-dialogs.tsx')).DashboardDialogs,
)
export const AccountDataScreen = lazyComponent(
  async () => (await import('#web/features/settings/account-data-screen.tsx')).AccountDataScreen,
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

const CHUNKS: Record<ScreenName, readonly { preload: () => void }[]> = {
  'sign-in': [],
  dashboard: [SignedInLayout, DashboardScreen],
  'manage-categories': [SignedInLayout, ManageCategoriesScreen, Dialogs],
  'account-data': [SignedInLayout, AccountDataScreen],
  'reset-password': [ResetPasswordScreen],
  callback: [CallbackScreen],
  terms: [TermsScreen],
  privacy: [PrivacyScreen],
  'not-found': [NotFoundScreen],
}

/** Loads all chunks of a screen ahead of time. */
export function preloadScreen(screen: ScreenName): void {
  for (const chunk of CHUNKS[screen]) chunk.preload()
}
