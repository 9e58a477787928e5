import { type InferOutput, nullable, number, picklist, record, string } from 'valibot'
import { createStoredValue } from '#web/lib/storage/store.ts'

const keptDataSchema = picklist(['unsaved-changes', 'everything'])
/** What is kept on this device of a user who is not signed in. */
export type KeptData = InferOutput<typeof keptDataSchema>

/**
 * What is kept of users who are not signed in; null if nothing. For the sign-in screen, which names no one, and must not
 * open databases to find out.
 */
export const keptData = createStoredValue('intercede-kept-data', keptDataSchema, () => localStorage)

/**
 * The users who have a database in this browser, by id, with the time from which it may be deleted, in milliseconds since
 * 1970. Null while the user is signed in. Not all browsers can list their databases.
 */
export const databaseRegistry = createStoredValue(
  'intercede-local-databases',
  record(string(), nullable(number())),
  () => localStorage,
)
