import { createStoredValue } from '#web/lib/store.ts'

/**
 * How many changes of users who are not signed in are kept on this device; null if none. For the sign-in screen, which
 * names no one, and must not open databases to find out.
 */
export const unsentChanges = createStoredValue('intercede-unsent-changes', isCount, () => localStorage)

function isCount(value: unknown): value is number {
  return typeof value === 'number'
}
