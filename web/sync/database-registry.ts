import { nullable, number, record, string } from 'valibot'
import { createStoredValue } from '#web/lib/store.ts'

/**
 * How many changes of users who are not signed in are kept on this device; null if none. For the sign-in screen, which
 * names no one, and must not open databases to find out.
 */
export const unsavedChanges = createStoredValue('intercede-unsaved-changes', number(), () => localStorage)

/**
 * The users who have a database in this browser, by id, with the time from which it may be deleted, in milliseconds since
 * 1970. Null while the user is signed in. Not all browsers can list their databases.
 */
export const databaseRegistry = createStoredValue(
  'intercede-local-databases',
  record(string(), nullable(number())),
  () => localStorage,
)
