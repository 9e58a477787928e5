import {
  array,
  type InferOutput,
  minValue,
  nullable,
  number,
  object,
  picklist,
  pipe,
  safeInteger,
  string,
} from 'valibot'
import type { EncryptionStatus } from './encryption-status.ts'
import { keyParts, NEVER_ENCRYPTED, type RememberedEncryption } from './remembered.ts'
import { type Keys, proofOf } from './sealed-text.ts'

export const keyRows = array(
  object({
    key_id: string(),
    state: picklist(['encrypting', 'on', 'decrypting', 'off', 'replaced', 'abandoned']),
    counter: pipe(number(), safeInteger(), minValue(0)),
    proof: nullable(string()),
  }),
)
/** A key of the account, as the server has it. */
export type KeyRow = InferOutput<typeof keyRows>[number]

const ACTIVE: ReadonlySet<string> = new Set(['encrypting', 'on', 'decrypting'])

/** Whether texts may be sealed with this key. The latest of these is the current key. */
export function isActive({ state }: KeyRow): boolean {
  return ACTIVE.has(state)
}

/** Whether the row was written by somebody who has the key. */
export async function isProven(own: Keys | undefined, { state, counter, proof }: KeyRow): Promise<boolean> {
  return own !== undefined && proof !== null && (await proofOf(own, state, counter)) === proof
}

/** The keys that were given up elsewhere since the user has agreed to anything here. The server has deleted what they seal. */
export function keysGivenUp(
  remembered: RememberedEncryption | null,
  rows: readonly KeyRow[],
): readonly KeyRow[] {
  // Version 0.4.0 has remembered no list. A restored server counts again.
  const isKnown = ({ key_id, counter }: KeyRow) =>
    remembered?.givenUp?.includes(key_id) ?? counter <= keyParts(remembered?.key ?? NEVER_ENCRYPTED).counter
  return rows.filter((row) => row.state === 'abandoned' && !isKnown(row))
}

/**
 * Tells whether texts may leave this device, and whether they are sealed, from what the device remembers, the server's list of keys (the
 * latest first), the keys of this device by their id, whether the page can use them, and whether it has rows. The server may have been
 * restored, or may lie.
 */
export async function accountState(
  remembered: RememberedEncryption | null,
  rows: readonly KeyRow[],
  keys: ReadonlyMap<string, Keys>,
  { isSecure, hasRows }: { isSecure: boolean; hasRows: boolean },
): Promise<EncryptionStatus['state']> {
  const current = rows.find(isActive)
  // A device that has keys, but could not remember anything, was encrypted.
  const sendsPlain = remembered ? !remembered.seals && !remembered.asked : keys.size === 0
  // What a key had sealed that was given up is deleted. Here, it may be readable, and the last copy.
  const givenUp = hasRows ? keysGivenUp(remembered, rows) : []
  if (!current && sendsPlain) return givenUp.length > 0 ? 'unproven' : 'off'
  // If no key is in use, and none is or was here, there is nothing to check: the user can agree.
  if (!isSecure) return current || remembered?.seals || keys.size > 0 ? 'insecure' : 'unproven'
  if (remembered?.seals) {
    const { keyId } = keyParts(remembered.key)
    const own = rows.find(({ key_id }) => key_id === keyId)
    const isEarlier = (row: KeyRow | undefined) => row !== undefined && row.counter < remembered.counter
    // An earlier key is the current one again after a restore, or if the change to a later one was given up. Nothing proves that.
    if (!own || isEarlier(own) || isEarlier(current)) {
      const isGivenUp = own?.state === 'abandoned'
      if (isGivenUp && !current) return 'unproven'
      // Texts that this device could not open would look like those of somebody else.
      const ids = rows.filter(isActive).map(({ key_id }) => key_id)
      const isComplete = (isGivenUp || keys.has(keyId ?? '')) && ids.every((id) => keys.has(id))
      return isComplete ? 'restored' : 'restored-key-needed'
    }
    // Without the key, nothing can be told from it yet; whoever has abandoned a key did not have it.
    const ownKeys = keys.get(own.key_id)
    if (own.proof !== null && ownKeys && !(await isProven(ownKeys, own))) return 'forged'
  }
  if (!current) return stateAfterEnd(rows[0], keys)
  const currentKeys = keys.get(current.key_id)
  if (!currentKeys) return 'key-needed'
  if (!(await isProven(currentKeys, current))) return 'forged'
  if (current.state === 'decrypting') return sendsPlain || !remembered ? 'ending' : 'turned-off'
  if (!remembered?.seals) return 'on'
  const { keyId } = keyParts(remembered.key)
  // If the remembered key itself was given up, the user was told when asked for the next one.
  return givenUp.some(({ key_id }) => key_id !== keyId) ? 'restored' : 'on'
}

/** @param latest of the keys, none of which is active */
async function stateAfterEnd(
  latest: KeyRow | undefined,
  keys: ReadonlyMap<string, Keys>,
): Promise<EncryptionStatus['state']> {
  // Nobody can prove that they have lost a key, and nothing that there never was one.
  if (!latest || latest.state === 'abandoned') return 'unproven'
  // Of a key that was replaced, the other one is hidden.
  if (latest.state !== 'off' || latest.proof === null) return 'forged'
  const latestKeys = keys.get(latest.key_id)
  if (!latestKeys) return 'turned-off-key-needed'
  return (await isProven(latestKeys, latest)) ? 'turned-off' : 'forged'
}

/** Whether the user has to enter the prayer key. */
export function isKeyNeeded({ state }: Pick<EncryptionStatus, 'state'>): boolean {
  return state.endsWith('key-needed')
}
