import { type EncryptionStatus, isUserNeeded } from '#web/sync/sealing/encryption-status.ts'
import { useSync } from './rows.ts'

export type { EncryptionStatus } from '#web/sync/sealing/encryption-status.ts'

/** Whether names and texts leave this device sealed, and how far that has got. */
export function useEncryption(): EncryptionStatus {
  const state = useSync((sync) => sync.status().encryption.state, 'off')
  const done = useSync((sync) => sync.status().encryption.replacing?.done ?? 0, 0)
  const total = useSync((sync) => sync.status().encryption.replacing?.total ?? null, null)
  return { state, replacing: total === null ? null : { done, total } }
}

/** What the user has to do before anything is sent or received; null if nothing. */
export function useEncryptionProblem() {
  const state = useSync((sync) => sync.status().encryption.state, 'off')
  const hasRows = useSync((sync) => sync.status().complete || sync.rows('prayers').length > 0, false)
  return isUserNeeded({ state }) ? { state, hasRows } : null
}
