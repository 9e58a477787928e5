import { useEncryptionState } from './encryption-status.ts'
import { BOTH_KEYS_QUESTION, KEY_QUESTION } from './key-question-texts.ts'
import { useSync } from './rows.ts'

/** What to ask before devices are signed out; null if the account is not encrypted. */
export function useKeyQuestion(): string | null {
  const isOff = useEncryptionState() === 'off'
  const isNewKey = useSync((sync) => sync.status().encryption.replacing?.isNewKey ?? false, false)
  if (isOff) return null
  return isNewKey ? BOTH_KEYS_QUESTION : KEY_QUESTION
}
