import { string } from 'valibot'
import { createStore, createStoredValue } from '#web/lib/storage/store.ts'

/** The path to open after sign-in; null for the dashboard. Stored, because signing in with X leaves the page. */
export const returnPath = createStoredValue('intercede-return-path', string())

/** A message shown on every screen for signed-in users until it is dismissed. */
export const notice = createStore<string | null>(null)

/** Whether the list of keyboard shortcuts is open. */
export const shortcutList = createStore(false)

/**
 * The id of the prayer whose answer the user wants to record; null if none. The announcement that offers this outlives the
 * screen on which the prayer was resolved.
 */
export const answerToRecord = createStore<string | null>(null)
