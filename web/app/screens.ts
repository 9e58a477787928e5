import { lazy } from 'react'
import { loadPart } from '#web/lib/load-part.ts'
import type { ScreenName } from './decide-route.ts'

const loadFrame = () => import('./signed-in-frame.tsx')
const loadDashboard = () => import('./dashboard-route.tsx')
const loadCategories = () => import('#web/features/categories/manage-categories-screen.tsx')
/** Category management has its dialogs in common with the dashboard. */
const loadDialogs = () => import('#web/features/prayers/dashboard-dialogs.tsx')
const loadAccountData = () => import('./account-data-route.tsx')
const loadReset = () => import('#web/features/sign-in/reset-password-screen.tsx')
const loadCallback = () => import('#web/features/sign-in/callback-screen.tsx')
const loadNavigationBar = () => import('./navigation-bar.tsx')
const loadOpenFrame = () => import('./open-frame.tsx')
const loadTerms = () => import('#web/features/legal/terms-screen.tsx')
const loadPrivacy = () => import('#web/features/legal/privacy-screen.tsx')
const loadNotFound = () => import('./not-found-screen.tsx')

export const SignedInFrame = lazy(async () => ({ default: (await loadPart(loadFrame)).SignedInFrame }))
export const OpenFrame = lazy(async () => ({ default: (await loadPart(loadOpenFrame)).OpenFrame }))
export const NavigationBar = lazy(async () => ({
  default: (await loadPart(loadNavigationBar)).NavigationBar,
}))
export const DashboardRoute = lazy(async () => ({ default: (await loadPart(loadDashboard)).DashboardRoute }))
export const ManageCategoriesScreen = lazy(async () => ({
  default: (await loadPart(loadCategories)).ManageCategoriesScreen,
}))
export const AccountDataRoute = lazy(async () => ({
  default: (await loadPart(loadAccountData)).AccountDataRoute,
}))
export const ResetPasswordScreen = lazy(async () => ({
  default: (await loadPart(loadReset)).ResetPasswordScreen,
}))
export const CallbackScreen = lazy(async () => ({ default: (await loadPart(loadCallback)).CallbackScreen }))
export const TermsScreen = lazy(async () => ({ default: (await loadPart(loadTerms)).TermsScreen }))
export const PrivacyScreen = lazy(async () => ({ default: (await loadPart(loadPrivacy)).PrivacyScreen }))
export const NotFoundScreen = lazy(async () => ({ default: (await loadPart(loadNotFound)).NotFoundScreen }))

const PARTS: Record<ScreenName, readonly (() => Promise<unknown>)[]> = {
  'sign-in': [],
  dashboard: [loadFrame, loadDashboard],
  'manage-categories': [loadFrame, loadCategories, loadDialogs],
  'account-data': [loadFrame, loadAccountData],
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
