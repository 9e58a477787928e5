import { lazy } from 'react'
import type { ScreenName } from './decide-route.ts'

const loadFrame = () => import('./signed-in-frame.tsx')
const loadDashboard = () => import('./dashboard-route.tsx')
const loadCategories = () => import('./manage-categories-route.tsx')
const loadReset = () => import('#web/features/auth/reset-password-screen.tsx')
const loadCallback = () => import('#web/features/auth/callback-screen.tsx')
const loadNavigationBar = () => import('#web/features/account/navigation-bar.tsx')
const loadOpenFrame = () => import('./open-frame.tsx')
const loadTerms = () => import('#web/features/legal/terms-screen.tsx')
const loadPrivacy = () => import('#web/features/legal/privacy-screen.tsx')
const loadNotFound = () => import('./not-found-screen.tsx')

export const SignedInFrame = lazy(async () => ({ default: (await loadFrame()).SignedInFrame }))
export const OpenFrame = lazy(async () => ({ default: (await loadOpenFrame()).OpenFrame }))
export const NavigationBar = lazy(async () => ({ default: (await loadNavigationBar()).NavigationBar }))
export const DashboardRoute = lazy(async () => ({ default: (await loadDashboard()).DashboardRoute }))
export const ManageCategoriesRoute = lazy(async () => ({
  default: (await loadCategories()).ManageCategoriesRoute,
}))
export const ResetPasswordScreen = lazy(async () => ({ default: (await loadReset()).ResetPasswordScreen }))
export const CallbackScreen = lazy(async () => ({ default: (await loadCallback()).CallbackScreen }))
export const TermsScreen = lazy(async () => ({ default: (await loadTerms()).TermsScreen }))
export const PrivacyScreen = lazy(async () => ({ default: (await loadPrivacy()).PrivacyScreen }))
export const NotFoundScreen = lazy(async () => ({ default: (await loadNotFound()).NotFoundScreen }))

const PARTS: Record<ScreenName, readonly (() => Promise<unknown>)[]> = {
  'sign-in': [],
  dashboard: [loadFrame, loadDashboard],
  'manage-categories': [loadFrame, loadCategories],
  'reset-password': [loadReset],
  callback: [loadCallback],
  terms: [loadOpenFrame, loadTerms],
  privacy: [loadOpenFrame, loadPrivacy],
  'not-found': [loadOpenFrame, loadNotFound],
}

/** Fetches all parts of a screen at once, ahead of time; a failure shows when the screen is really opened. */
export function preloadScreen(screen: ScreenName): void {
  for (const load of PARTS[screen]) load().catch(() => undefined)
}
