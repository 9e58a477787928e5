import { rememberedOf } from '#web/sync/sealing/remembered.ts'

/** Of an account that the user has deleted. Whatever else the server says, it is remembered. */
export function forgetEncryption(userId: string): void {
  rememberedOf(userId).set(null)
}
