import { type EncryptionStatus, isUserNeeded, UNREADABLE } from '#web/sync/sealing/encryption-status.ts'
import { useSync } from './rows.ts'

export { type EncryptionStatus, isKeyNeeded, UNREADABLE } from '#web/sync/sealing/encryption-status.ts'

/** Whether names and texts leave this device sealed. */
export function useEncryptionState(): EncryptionStatus['state'] {
  return useSync((sync) => sync.status().encryption.state, 'off')
}

/** How many texts of these rows cannot be read. They are shown as they are, but not offered for editing. */
export function countUnreadableTexts(...tables: readonly (readonly object[])[]): number {
  const isUnreadable = (value: unknown) => value === UNREADABLE
  return tables.flat().reduce((count, row) => count + Object.values(row).filter(isUnreadable).length, 0)
}

/** How many texts on this device cannot be read. */
export function useUnreadableTexts(): number {
  return useSync(
    (sync) =>
      countUnreadableTexts(sync.rows('categories'), sync.rows('prayers'), sync.rows('prayer_updates')),
    0,
  )
}

/** What the user has to do before anything is sent or received; null if nothing. */
export function useEncryptionProblem() {
  const state = useEncryptionState()
  const hasRows = useSync((sync) => sync.status().complete || sync.rows('prayers').length > 0, false)
  return isUserNeeded({ state }) ? { state, hasRows } : null
}
