import { type EncryptionStatus, isUserNeeded, UNREADABLE } from '#web/sync/sealing/encryption-status.ts'
import { useSync } from './rows.ts'

export { type EncryptionStatus, UNREADABLE } from '#web/sync/sealing/encryption-status.ts'

/** Whether names and texts leave this device sealed, and how far that has got. */
export function useEncryption(): EncryptionStatus {
  const state = useSync((sync) => sync.status().encryption.state, 'off')
  const done = useSync((sync) => sync.status().encryption.replacing?.done ?? 0, 0)
  const total = useSync((sync) => sync.status().encryption.replacing?.total ?? null, null)
  return { state, replacing: total === null ? null : { done, total } }
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
  const state = useSync((sync) => sync.status().encryption.state, 'off')
  const hasRows = useSync((sync) => sync.status().complete || sync.rows('prayers').length > 0, false)
  return isUserNeeded({ state }) ? { state, hasRows } : null
}
