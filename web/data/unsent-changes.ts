import { useStore } from '#web/lib/store.ts'
import { localDatabases, unsentChanges } from '#web/sync/unsent-changes.ts'

/** Whether changes of someone who is not signed in are kept on this device. */
export function useUnsentChanges(): boolean {
  return useStore(unsentChanges) !== null
}

/** Deletes them. Never rejects. */
export async function discardUnsentChanges(): Promise<void> {
  // The sign-in screen does not load the code for databases.
  const { discardUnsent } = await import('#web/sync/local-databases.ts')
  await discardUnsent()
}

/**
 * Deletes the rows of users whose session has ended while the app was closed. Does nothing for those who have never signed
 * in on this device.
 */
export async function forgetEarlierUsers(): Promise<void> {
  // Loading it is enough: it follows the session.
  if (localDatabases.get() !== null) await import('./user-data.tsx')
}
