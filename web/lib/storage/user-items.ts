import type { GenericSchema } from 'valibot'
import { createStoredValue, type Store } from './store.ts'

const KEY_PREFIX = 'intercede-user:'

/**
 * A value of one user in this browser, until that user signs out. It may contain ids and choices, but no texts: other
 * people who use the browser could read them. What the storage has no room for is remembered as long as the item exists.
 *
 * @param schema of the parsed JSON: another version of the app may have stored it
 * @param storage local storage, or the tab's session storage if nothing may stay on this device
 */
export function createUserItem<T>(
  userId: string,
  name: string,
  schema: GenericSchema<T>,
  storage: Storage,
): Store<T | null> {
  return createStoredValue(`${KEY_PREFIX}${userId}:${name}`, schema, () => storage, 'remember')
}

/** Deletes all values of a user. */
export function deleteUserItems(userId: string): void {
  for (const storage of [localStorage, sessionStorage]) {
    const keys = Object.keys(storage).filter((key) => key.startsWith(`${KEY_PREFIX}${userId}:`))
    for (const key of keys) storage.removeItem(key)
  }
}
