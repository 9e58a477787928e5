import { createHash } from 'node:crypto'
import { subnetOf } from '#shared/client-network.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import { passwordHashOf, type Account, type Queryable } from './account.ts'
import type { Passwords } from './passwords.ts'

/** Wrong passwords per email address that have no consequence; `RATE_LIMIT_FACTOR` multiplies them. */
export const FREE_FAILURES = 10
/** In seconds. After that many wrong passwords, the wait is 1 s; it doubles with each further one, up to this. */
const LONGEST_WAIT = 3600

/** A password that someone entered for an email address. */
export interface PasswordAttempt {
  email: string
  password: string
  /** The account with that address, or null. */
  account: Account | null
  /** The client's address. */
  ip: string | null
}

/**
 * Whether the password is the account's. Wrong ones slow down further attempts for the same email address, from whatever
 * address they come, except on networks that the account has signed in from: there, its owner is never locked out, and
 * the limits per client address suffice.
 *
 * Throws `over_request_rate_limit` while an attempt has to wait. Behaves alike for addresses without an account.
 */
export async function checkPassword(
  services: Services & { passwords: Passwords },
  attempt: PasswordAttempt,
): Promise<boolean> {
  const { account, email, password } = attempt
  const isLimited = !(await isFromKnownNetwork(services, attempt))
  // Counted before the password is checked, so that concurrent attempts are counted as well.
  const attempted = { kind: 'password', subject: email } as const
  if (isLimited) await countFailure(services, attempted)
  const matches = await services.passwords.matches(password, passwordHashOf(account))
  if (matches && isLimited) await forgetFailures(services.pool, attempted)
  return matches
}

/** A network that an account has signed in from, as it is stored; null if the client's address is unknown. */
export function networkHash(accountId: string, ip: string | null): string | null {
  return ip === null ? null : sha256(`${accountId} ${subnetOf(ip)}`)
}

const IS_KNOWN = 'select from intercede.known_networks where user_id = $1 and network_hash = $2'

/**
 * Whether the account has signed in from the client's network. Runs its statement for unknown accounts as well, so that it
 * always takes the same time.
 */
export async function isFromKnownNetwork(
  { pool }: Pick<Services, 'pool'>,
  { account, ip }: Pick<PasswordAttempt, 'account' | 'ip'>,
): Promise<boolean> {
  const values = [account?.id ?? null, networkHash(account?.id ?? '', ip)]
  const { rowCount } = await pool.query({ name: 'auth:known-network', text: IS_KNOWN, values })
  return rowCount === 1
}

/** What was attempted, by whoever it was. */
interface Attempted {
  kind: 'password' | 'app-code' | 'emailed-code'
  /** The email address for a password, whether or not it has an account; else the id of the account, and perhaps a network. */
  subject: string
}

/**
 * Counts and checks in one statement, by the clock of the database, because those of servers differ. A time far ahead was written by a
 * wrong clock and blocks nothing.
 */
const COUNT = `
  insert into intercede.failed_sign_ins as failed (email_hash, failures, blocked_until, updated_at)
  values ($1, 1, '-infinity', now())
  on conflict (email_hash) do update set
    failures = failed.failures + 1,
    blocked_until = case when failed.failures + 1 < $2 then '-infinity'
      else now() + make_interval(secs => least(2 ^ least(failed.failures + 1 - $2, 30), $3))
    end,
    updated_at = now()
  where failed.blocked_until <= now() or failed.blocked_until > now() + make_interval(secs => 2 * $3)`

/**
 * Counts a wrong password or code. Call it before checking, and `forgetFailures` if it is right.
 * Throws `over_request_rate_limit` while an attempt has to wait.
 */
export async function countFailure({ pool, config }: Services, attempted: Attempted): Promise<void> {
  const free = Math.max(1, Math.round(FREE_FAILURES * config.rateLimitFactor))
  const values = [keyOf(attempted), free, LONGEST_WAIT]
  const { rowCount } = await pool.query({ name: 'auth:count-failure', text: COUNT, values })
  if (rowCount === 0) throw new ApiError(429, 'over_request_rate_limit', 'Request rate limit reached')
}

const FORGET = 'delete from intercede.failed_sign_ins where email_hash = $1'

export async function forgetFailures(database: Queryable, attempted: Attempted): Promise<void> {
  await database.query({ name: 'auth:forget-failures', text: FORGET, values: [keyOf(attempted)] })
}

/** Begins with the kind, so that no address that somebody signs in with is the key of something else. */
function keyOf({ kind, subject }: Attempted): string {
  return sha256(`${kind} ${subject}`)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
