import { lazy } from 'react'
import { loadPart } from '#web/lib/load-part.ts'

const loadReset = () => import('./reset-request-screen.tsx')
const loadConfirm = () => import('./confirm-address.tsx')
const loadResend = () => import('./resend.tsx')

// What few people need: fetched when somebody turns to the form, so that it is there should they be among them.
export const ResetRequestScreen = lazy(async () => ({
  default: (await loadPart(loadReset)).ResetRequestScreen,
}))
export const ConfirmAddress = lazy(async () => ({ default: (await loadPart(loadConfirm)).ConfirmAddress }))
export const Resend = lazy(async () => ({ default: (await loadPart(loadResend)).Resend }))

/** Fetches it ahead of time; a failure shows when it is really needed. */
export function preloadLater(): void {
  for (const load of [loadReset, loadConfirm, loadResend]) load().catch(() => undefined)
}
