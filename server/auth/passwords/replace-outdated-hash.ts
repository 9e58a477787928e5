import type { AuthServices } from '../auth-services.ts'
import { isOutdated } from './password-hash.ts'

const REPLACE = 'update auth.users set encrypted_password = $3 where id = $1 and encrypted_password = $2'

/**
 * Stores a password that was just found right under a hash of today's strength, when its own is older (accounts moved
 * from Supabase carry bcrypt). Resolves to the hash now stored; a password changed meanwhile is left alone.
 */
export async function replaceOutdatedHash(
  { pool, passwords }: AuthServices,
  checked: { accountId: string; password: string; hash: string },
): Promise<string> {
  if (!isOutdated(checked.hash)) return checked.hash
  const fresh = await passwords.hash(checked.password)
  const values = [checked.accountId, checked.hash, fresh]
  const { rowCount } = await pool.query({ name: 'auth:replace-hash', text: REPLACE, values })
  return rowCount === 1 ? fresh : checked.hash
}
