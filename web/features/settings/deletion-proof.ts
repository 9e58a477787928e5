import type { User } from '@supabase/auth-js'
import { hasTwitterIdentity } from '#web/lib/user-profile.ts'

/** How the person shows that it is really they who delete the account. */
export type DeletionProof = 'password' | 'password or X' | 'X' | 'just signed in'

/**
 * Whoever has a password is asked for it. Those who come by X come by X once more, unless they have just done so; they
 * may have a password without knowing it, or none although there is an e-mail identity.
 */
export function proofFor(user: User, signedInLately: boolean): DeletionProof {
  const comesByX = hasTwitterIdentity(user)
  const comesByEmail = user.identities?.some(({ provider }) => provider === 'email') ?? false
  if (comesByX) return signedInLately ? 'just signed in' : comesByEmail ? 'password or X' : 'X'
  return 'password'
}
