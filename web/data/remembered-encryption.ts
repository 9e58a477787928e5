import { rememberedOf } from '#web/sync/sealing/remembered.ts'
import { KEY_QUESTION } from './encryption-status.ts'

/**
 * What to ask where nobody has signed in yet, before an account's devices are signed out; null if the account is not encrypted, as far as
 * this browser remembers.
 */
export function rememberedKeyQuestion(userId: string): string | null {
  return rememberedOf(userId).get()?.seals ? KEY_QUESTION : null
}

/** Of an account that the user has deleted. Whatever else the server says, it is remembered. */
export function forgetEncryption(userId: string): void {
  rememberedOf(userId).set(null)
}
