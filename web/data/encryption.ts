import { useContext, useMemo } from 'react'
import { UserError } from '#web/lib/error-message.ts'
import type { EncryptedAccount } from '#web/sync/sealing/encrypted-account.ts'
import { rememberedOf } from '#web/sync/sealing/remembered.ts'
import { RequestError } from '#web/sync/server.ts'
import { fetchDeletionPreview } from './account-data.ts'
import { type EncryptionStatus, UNREADABLE, useEncryptionState } from './encryption-status.ts'
import { UserDataContext, useSync } from './rows.ts'

export type { PlainText } from '#web/sync/sealing/encrypted-account.ts'
export { isKeyNeeded } from '#web/sync/sealing/account-state.ts'
export { groupsOf, makePrayerKey, readAsTyped, typingError } from '#web/sync/sealing/prayer-key.ts'

/** Whether this page can encrypt: browsers do it only on pages with https, and on this machine. */
export function canEncrypt(): boolean {
  return 'subtle' in crypto
}

/** Whether names and texts leave this device sealed, and how far that has got. */
export function useEncryption(): EncryptionStatus {
  const state = useEncryptionState()
  const done = useSync((sync) => sync.status().encryption.replacing?.done ?? 0, 0)
  const total = useSync((sync) => sync.status().encryption.replacing?.total ?? null, null)
  const isNewKey = useSync((sync) => sync.status().encryption.replacing?.isNewKey ?? false, false)
  const isKeyMissing = useSync((sync) => sync.status().encryption.replacing?.isKeyMissing ?? false, false)
  const isWaiting = useSync((sync) => sync.status().encryption.replacing?.isWaiting ?? false, false)
  return { state, replacing: total === null ? null : { done, total, isNewKey, isKeyMissing, isWaiting } }
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

/** Whether what this device shows may have been deleted elsewhere, where a key was lost, and the user has not agreed to that here. */
export function useIsGivenUp(): boolean {
  return useSync((sync) => sync.status().encryption.isGivenUp ?? false, false)
}

/** Which key has to be entered, if that can be told: see `EncryptionStatus`. */
export function useNeededKey(): EncryptionStatus['neededKey'] {
  return useSync((sync) => sync.status().encryption.neededKey, null)
}

/** What the user can do. Everything may reject. */
export interface EncryptionActions extends Pick<
  EncryptedAccount,
  | 'enter'
  | 'recognize'
  | 'turnOff'
  | 'goOnWithout'
  | 'encryptAgain'
  | 'acceptDeletion'
  | 'abandon'
  | 'findPlainTexts'
  | 'sealPlainTexts'
> {
  /** Begins to encrypt everything with a prayer key, once everything is sent. */
  begin: (prayerKey: string) => Promise<void>
}

export function useEncryptionActions(): EncryptionActions {
  const data = useContext(UserDataContext)
  return useMemo(() => {
    const run = async <Result>(action: (account: EncryptedAccount) => Promise<Result>): Promise<Result> => {
      if (!data) throw new UserError('User not authenticated')
      const sync = await data.opened
      const result = await action(await sync.encryption())
      void sync.syncNow()
      return result
    }
    return {
      begin: async (prayerKey) => {
        const sync = await data?.opened
        await sync?.syncNow()
        if (!sync?.status().complete || sync.status().waiting > 0)
          throw new UserError('Some of your changes have not been saved yet. Please try again in a moment.')
        await run((account) => account.begin(prayerKey))
      },
      enter: (typed) => run((account) => account.enter(typed)),
      recognize: (typed) => run((account) => account.recognize(typed)),
      turnOff: () => run((account) => account.turnOff()),
      goOnWithout: () => run((account) => account.goOnWithout()),
      encryptAgain: () => run((account) => account.encryptAgain()),
      acceptDeletion: () => run((account) => account.acceptDeletion()),
      abandon: () => run((account) => account.abandon()),
      findPlainTexts: async () => {
        // Only what this device has received can be looked through.
        const sync = await data?.opened
        await sync?.syncNow()
        return run((account) => account.findPlainTexts())
      },
      sealPlainTexts: (found, onProgress) => run((account) => account.sealPlainTexts(found, onProgress)),
    }
  }, [data])
}

/**
 * The database's codes for a prayer key that it has not taken: another device was faster, the sign-in is too long ago, or the account has had
 * too many keys.
 */
const REFUSED = new Set(['IC002', 'PT403', 'PT413'])

/** Whether a prayer key is certainly not in use after an attempt that has failed: it was refused, or not sent. */
export function isKeyRefused(failure: unknown): boolean {
  return failure instanceof UserError || (failure instanceof RequestError && REFUSED.has(failure.code))
}

/** Whether the user has signed in lately enough to make a prayer key, or to give one up. */
export async function hasSignedInLately(): Promise<boolean> {
  return (await fetchDeletionPreview()).signed_in_lately
}

/** Of an account that the user has deleted. Whatever else the server says, it is remembered. */
export function forgetEncryption(userId: string): void {
  rememberedOf(userId).set(null)
}
