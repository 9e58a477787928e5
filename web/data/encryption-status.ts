import { type EncryptionStatus, isUserNeeded, plainColumns } from '#web/sync/sealing/encryption-status.ts'
import { useSync } from './rows.ts'

export {
  type EncryptionStatus,
  isUserNeeded,
  type Marked,
  plainColumns,
  UNREADABLE,
  USER_NEEDED,
} from '#web/sync/sealing/encryption-status.ts'

/** Whether names and texts leave this device sealed. */
export function useEncryptionState(): EncryptionStatus['state'] {
  return useSync((sync) => sync.status().encryption.state, 'off')
}

/** Said of texts that the server has plain, although the account is encrypted. */
export const NOT_ENCRYPTED = 'Not encrypted'

/** Says that rows have a text that the server has plain, although the account is encrypted; null if they have none. */
export function plainMark(...rows: readonly object[]): string | null {
  return rows.some((row) => plainColumns(row).length > 0) ? NOT_ENCRYPTED : null
}

/** What the user has to do before anything is sent or received; null if nothing. */
export function useEncryptionProblem() {
  const state = useEncryptionState()
  const hasRows = useSync((sync) => sync.status().complete || sync.rows('prayers').length > 0, false)
  return isUserNeeded({ state }) ? { state, hasRows } : null
}
