import { useStore } from '#web/lib/storage/store.ts'
import { databaseRegistry, type KeptData, keptData } from '#web/sync/database-registry.ts'

/** What is kept on this device of someone who is not signed in; null if nothing. */
export function useKeptData(): KeptData | null {
  return useStore(keptData)
}

/** Deletes what is kept. Never rejects. */
export async function discardKeptData(): Promise<void> {
  // The sign-in screen does not load the code for databases.
  const { discardKept } = await import('#web/sync/local-databases.ts')
  await discardKept()
}

/**
 * Deletes or hides the rows of users who are not signed in: now, as a session may have ended while the app was closed, and whenever a
 * session ends. Does nothing if nobody has ever signed in on this device.
 */
export async function forgetSignedOutUsers(): Promise<void> {
  if (databaseRegistry.get() !== null) (await import('./user-data.tsx')).followSession()
}
