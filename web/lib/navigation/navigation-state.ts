import { literal, string } from 'valibot'
import { createStore, createStoredValue } from '#web/lib/storage/store.ts'
import { DASHBOARD, PRAY } from './routes.ts'

/** The path to open after sign-in; null for `startPath`. Stored, because signing in with X leaves the page. */
export const returnPath = createStoredValue('intercede-return-path', string())

/** The id of the user who signs in again to delete the account: with X, or with a code after the password. Stored for the same reason. */
export const pendingDeletion = createStoredValue('intercede-deletion', string())

/** True if the app opens with Today, else null: then it opens with the dashboard. Kept on this device. */
export const opensWithToday = createStoredValue(
  'intercede-opens-with-today',
  literal(true),
  () => localStorage,
)

/** Where signed-in users land who asked for no other screen. */
export function startPath(): string {
  return opensWithToday.get() ? PRAY : DASHBOARD
}

/** A message shown on every screen for signed-in users until it is dismissed, and when the sign-in screen opens. */
export const notice = createStore<string | null>(null)

/** Whether the list of keyboard shortcuts is open. */
export const shortcutList = createStore(false)

/** Set anew to open the sheet with what could not be saved. */
export const rejectedSheetRequest = createStore({})

/**
 * The prayer whose answer the user wants to record; null if none. The announcement that offers this outlives the screen on which
 * the prayer was resolved, and is made again if the user closes the dialog.
 */
export const answerToRecord = createStore<{ prayerId: string; announceAgain?: () => void } | null>(null)
