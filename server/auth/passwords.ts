import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash as hashArgon2, parseOptions, verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import PQueue from 'p-queue'
import { ApiError } from '../errors/api-error.ts'

/**
 * Argon2id (the library's default variant) with the parameters of OWASP's Password Storage Cheat Sheet.
 * Memory in KiB; about 10 ms of one processor.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const ARGON2 = /^\$argon2(?:id|i|d)\$/
/** Accounts that come from a Supabase project have these. */
const BCRYPT = /^\$2[aby]\$/

/** Hashes off the event loop. Resolves to a PHC string that contains its own parameters. */
export async function hashPassword(password: string): Promise<string> {
  return hashArgon2(password, PARAMETERS)
}

/** Whether the hash is that of the password. A hash of an unknown kind matches nothing. */
export async function matchesHash(password: string, hash: string): Promise<boolean> {
  if (ARGON2.test(hash)) return verifyArgon2(hash, password)
  return BCRYPT.test(hash) && verifyBcrypt(password, hash)
}

/** Whether a hash is weaker than a new one would be, and should be replaced when the password is next known. */
export function isOutdated(hash: string): boolean {
  if (!ARGON2.test(hash)) return true
  const { memoryCost, timeCost } = parseOptions(hash)
  return memoryCost < PARAMETERS.memoryCost || timeCost < PARAMETERS.timeCost
}

/** Hashing and verification with a limit on how much runs and waits, so that a flood leaves processors for the rest. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** A null hash (no such account, or one without a password) takes the same time and matches nothing. */
  matches(password: string, hash: string | null): Promise<boolean>
  /** How many calls are waiting. */
  waiting(): number
}

/** Each hash holds 19 MiB while it is computed; two at once are two hundred sign-ins a second. */
const MAX_CONCURRENT = 2
/** One processor is left for requests and the database. */
const CONCURRENT = Math.min(MAX_CONCURRENT, Math.max(1, availableParallelism() - 1))
/** About a second of waiting on a slow machine. */
const WAITING = 64

/**
 * Calls reject with `over_request_rate_limit` when too many are waiting. Where the duration of a request must not reveal
 * whether an account exists, call `matches` with null.
 */
export function createPasswords(limits = { concurrent: CONCURRENT, waiting: WAITING }): Passwords {
  const queue = new PQueue({ concurrency: limits.concurrent })
  const run = async <Value>(job: () => Promise<Value>): Promise<Value> => {
    if (queue.size >= limits.waiting) {
      throw new ApiError(429, 'over_request_rate_limit', 'Request rate limit reached')
    }
    return queue.add(job)
  }
  let decoy: Promise<string> | undefined
  const decoyHash = () => (decoy ??= hashPassword(randomBytes(32).toString('base64url')))
  return {
    waiting: () => queue.size,
    hash: (password) => run(() => hashPassword(password)),
    matches: (password, hash) =>
      run(async () => (await matchesHash(password, hash ?? (await decoyHash()))) && hash !== null),
  }
}
