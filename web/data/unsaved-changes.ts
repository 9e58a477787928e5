import { useStore } from '#web/lib/store.ts'
import { databaseRegistry, unsavedChanges } from '#web/sync/database-registry.ts'

/** Whether changes of someone who is not signed in are kept on this device. */
export function useHasUnsavedChanges(): boolean {
  return useStore(unsavedChanges) !== null
}

/** Deletes them. Never rejects. */
export async function discardUnsavedChanges(): Promise<void> {
  // The sign-in screen does not load the code for databases.
  const { discardUnsaved } = await import('#web/sync/local-databases.ts')
  await discardUnsaved()
}

/**
 * Deletes the rows of users whose session has ended while the app was closed. Does nothing for those who have never signed
 * in on this device.
 */
export async function forgetEarlierUsers(): Promise<void> {
  // Loading it is enough: it follows the session.
  if (databaseRegistry.get() !== null) await import('./user-data.tsx')
}
