import { rememberedOf } from '#web/sync/sealing/remembered.ts'

/** Whether an account is encrypted where nobody has signed in yet, as far as this browser remembers. */
export function isRememberedEncrypted(userId: string): boolean {
  return rememberedOf(userId).get()?.seals ?? false
}
