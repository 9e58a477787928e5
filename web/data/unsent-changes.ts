import { useStore } from '#web/lib/store.ts'
import { unsentChanges } from '#web/sync/unsent-changes.ts'

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
