import { useStore } from '#web/lib/store.ts'
import { databaseRegistry, type KeptData, keptData } from '#web/sync/database-registry.ts'

/** What is kept on this device of someone who is not signed in; null if nothing. */
export function useKeptData(): KeptData | null {
  return useStore(keptData)
}

/** Deletes them. Never rejects. */
export async function discardKeptData(): Promise<void> {
  // The sign-in screen does not load the code for databases.
  const { discardKept } = await import('#web/sync/local-databases.ts')
  await discardKept()
}

/**
 * Deletes the rows of users whose session has ended while the app was closed. Does nothing for those who have never signed
 * in on this device.
 */
export async function forgetEarlierUsers(): Promise<void> {
  // Loading it is enough: it follows the session.
  if (databaseRegistry.get() !== null) await import('./user-data.tsx')
}
