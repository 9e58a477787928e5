import { KEY_QUESTION, useEncryptionState } from './encryption-status.ts'
import { useSync } from './rows.ts'

const BOTH_KEYS_QUESTION =
  'Your prayers are still being encrypted with your new prayer key. Do you have it, and the one before? Devices that are signed out forget both, and ask for them when you sign in again: what only the earlier one opens is lost without it.'

/** What to ask before devices are signed out; null if the account is not encrypted. */
export function useKeyQuestion(): string | null {
  const isOff = useEncryptionState() === 'off'
  const isNewKey = useSync((sync) => sync.status().encryption.replacing?.isNewKey ?? false, false)
  if (isOff) return null
  return isNewKey ? BOTH_KEYS_QUESTION : KEY_QUESTION
}
