import { createRequire } from 'node:module'
import { hash as hashArgon2, parseOptions, verify as verifyArgon2 } from '@node-rs/argon2'
import type bcrypt from '@node-rs/bcrypt'

/**
 * Argon2id (the library's default variant) with the parameters of OWASP's Password Storage Cheat Sheet.
 * Memory in KiB; about 10 ms of one processor.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const ARGON2 = /^\$argon2(?:id|i|d)\$/
/** Accounts that come from a Supabase project carry these. */
const BCRYPT = /^\$2[aby]\$/

/**
 * Loads bcrypt when there is such an account to sign in: most servers have none. `import()` would remember for as long as
 * the process lives that a file could not be opened just then.
 */
const require: (name: '@node-rs/bcrypt') => typeof bcrypt = createRequire(import.meta.url)

/** Hashes off the event loop. Resolves to a PHC string that carries its own parameters. */
export async function hashPassword(password: string): Promise<string> {
  return hashArgon2(password, PARAMETERS)
}

/** Whether the password is the one that was hashed. A hash of an unknown kind matches nothing. */
export async function matchesHash(password: string, hash: string): Promise<boolean> {
  if (ARGON2.test(hash)) return verifyArgon2(hash, password)
  if (!BCRYPT.test(hash)) return false
  return require('@node-rs/bcrypt').verify(password, hash)
}

/** Whether a hash is weaker than one made today, and is to be replaced when the password is next known. */
export function isOutdated(hash: string): boolean {
  if (!ARGON2.test(hash)) return true
  const { memoryCost, timeCost } = parseOptions(hash)
  return memoryCost < PARAMETERS.memoryCost || timeCost < PARAMETERS.timeCost
}
