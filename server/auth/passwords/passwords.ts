import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { ApiError } from '../../errors/api-error.ts'
import { hashPassword, matchesHash } from './password-hash.ts'
import { QueueFullError, WorkQueue } from './work-queue.ts'

/** The slow work of passwords, kept from crowding out everything else. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** A null hash (no such account, or one without a password) costs the same time and matches nothing. */
  matches(password: string, hash: string | null): Promise<boolean>
  /** How many calls wait for their turn. */
  waiting(): number
}

/** Each holds 19 MiB while it is made; two at once are a hundred sign-ins a second. */
const MOST_CONCURRENT = 2
/** One processor is left to requests and to the database. */
const CONCURRENT = Math.min(MOST_CONCURRENT, Math.max(1, availableParallelism() - 1))
/** About a second of waiting on a slow machine. */
const WAITING = 64

/**
 * Both calls reject with `over_request_rate_limit` when too many are waiting.
 * Where the time of a request must not tell an account from none, call `matches` with null.
 */
export function createPasswords(limits = { concurrent: CONCURRENT, waiting: WAITING }): Passwords {
  const queue = new WorkQueue(limits)
  let decoy: Promise<string> | undefined
  const decoyHash = () => (decoy ??= hashPassword(randomBytes(32).toString('base64url')))
  const run = <Value>(job: () => Promise<Value>) => queue.run(job).catch(refuseWhenFull)
  return {
    waiting: () => queue.waiting,
    hash: (password) => run(() => hashPassword(password)),
    matches: (password, hash) =>
      run(async () => (await matchesHash(password, hash ?? (await decoyHash()))) && hash !== null),
  }
}

function refuseWhenFull(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error
  throw new ApiError(429, 'over_request_rate_limit', 'Request rate limit reached', { cause: error })
}
