import { type EncryptionStatus, isUserNeeded, UNREADABLE } from '#web/sync/sealing/encryption-status.ts'
import { rememberedOf } from '#web/sync/sealing/remembered.ts'
import { useSync } from './rows.ts'

export { type EncryptionStatus, isKeyNeeded, UNREADABLE } from '#web/sync/sealing/encryption-status.ts'

/** Whether names and texts leave this device sealed. */
export function useEncryptionState(): EncryptionStatus['state'] {
  return useSync((sync) => sync.status().encryption.state, 'off')
}

const KEY_QUESTION =
  'Do you have your prayer key? Devices that are signed out forget it, and ask for it when you sign in again.'

/** What to ask before devices are signed out, in whatever state an encrypted account is; null if it is not encrypted. */
export function useKeyQuestion(): string | null {
  return useEncryptionState() === 'off' ? null : KEY_QUESTION
}

/** The same where nobody has signed in yet, as far as this browser remembers. */
export function keyQuestionOf(userId: string): string | null {
  return rememberedOf(userId).get()?.seals ? KEY_QUESTION : null
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
