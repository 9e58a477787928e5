import type { FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import { withTransaction } from '../db/transaction.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Clock } from '../services.ts'
import { lockAccount, passwordHashOf, type Account, type Queryable } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { readBearer, type Bearer } from './bearer.ts'
import { checkCode, spendCode } from './emailed-codes.ts'
import { checkPassword } from './password-attempts.ts'
import { text } from './request-body.ts'
import { requireSecondFactor } from './factors/second-factor.ts'
import { clientDetails } from './client-details.ts'

/** What a change of an account takes, besides a session that has not ended. */
export interface Requirements {
  /** The status and message of the error if two-factor sign-in is on and the caller gave no code; null where that does not matter. */
  secondFactor: readonly [status: number, message: string] | null
  /** What is changed, if that takes a proof that the caller is the account's owner. */
  proof: ProvenChange | null
}

/** For what every session may change. */
export const SESSION_ONLY: Requirements = { secondFactor: null, proof: null }

/** The fields of a request by which a client proves that it is the owner who asks; `nonce` is an emailed code. */
export const proofFields = { current_password: text, nonce: text }
type GivenProof = v.InferOutput<v.ObjectSchema<typeof proofFields, undefined>>

/** What takes a proof. */
type ProvenChange = keyof typeof MESSAGES

const OF_FACTORS = {
  wrong: 'Current password required when changing two-factor sign-in.',
  missing: 'Changing two-factor sign-in requires reauthentication',
}

/** The first ones are GoTrue's. */
const MESSAGES = {
  password: {
    wrong: 'Current password required when setting new password.',
    missing: 'Password update requires reauthentication',
  },
  email: {
    wrong: 'Current password required when changing the email address.',
    missing: 'Email update requires reauthentication',
  },
  factors: OF_FACTORS,
  'recovery-codes': OF_FACTORS,
}

/** A change that was allowed when it was looked at. */
interface AuthorizedChange {
  bearer: Bearer
  requirements: (account: Account) => Requirements
  proof: CheckedProof
}

type CheckedProof =
  | { kind: 'recent-sign-in' }
  /** The hash that the password was checked against. */
  | { kind: 'password'; hash: string }
  | { kind: 'code'; code: string }

const NO_PROOF: GivenProof = { current_password: '', nonce: '' }

/**
 * Checks whether the caller may make a change of their account, before anything that takes time or cannot be undone.
 * `changeAccount` then makes it. Throws `insufficient_aal`, and the errors of a missing or wrong proof.
 *
 * An access token may be stolen, so changing what gives access takes a proof: the current password, an emailed code, a session from a
 * recovery link, or a recent sign-in, unless that was with a password which a recovery link has removed since. A second factor is no
 * proof, because it may have been added with the stolen token; but adding one takes a proof, which then serves for the recovery codes too,
 * in the session in which it was added.
 * GoTrue (internal/api/user.go) asks for less unless it is configured to, and only for a password.
 */
export async function authorize(
  request: FastifyRequest,
  services: AuthServices,
  bearer: Bearer,
  requirements: AuthorizedChange['requirements'],
  given = NO_PROOF,
): Promise<AuthorizedChange> {
  const { account } = bearer
  const { secondFactor, proof: change } = requirements(account)
  if (secondFactor !== null) requireSecondFactor(bearer, ...secondFactor)
  const authorized = { bearer, requirements }
  if (change !== null && given.current_password !== '') {
    const { ip } = clientDetails(request)
    const attempt = { email: account.email ?? '', password: given.current_password, account, ip }
    if (!(await checkPassword(services, attempt)))
      throw new ApiError(400, 'current_password_invalid', MESSAGES[change].wrong)
    return { ...authorized, proof: { kind: 'password', hash: passwordHashOf(account) ?? '' } }
  }
  if (change !== null && given.nonce !== '') {
    await checkCode(services, account, given.nonce)
    return { ...authorized, proof: { kind: 'code', code: given.nonce } }
  }
  const proof = { kind: 'recent-sign-in' } as const
  if (change !== null) await requireProof(services.pool, services.clock, { bearer, change, proof })
  return { ...authorized, proof }
}

/** Before the session, because removing an app, as an operator may in SQL, locks the app first and then the sessions that used it. */
const LOCK_FACTORS = 'select from auth.mfa_factors where user_id = $1 for key share'
const LOCK_SESSION = 'select from auth.sessions where id = $1 for no key update'

/**
 * Runs a change of the caller's account in a transaction. Everything that allows it is asked again there, under the lock that all such
 * changes take, with the session, the apps and the proof as they are then: two-factor sign-in may have been turned on since, or the
 * session ended. `work` gets the caller as they are then. Uses up an emailed code. Throws as `requireBearer` and `authorize`.
 */
export async function changeAccount<Value>(
  { pool, clock }: Pick<AuthServices, 'pool' | 'clock'>,
  { bearer, requirements, proof }: AuthorizedChange,
  work: (transaction: Queryable, caller: Bearer) => Promise<Value>,
): Promise<Value> {
  const { account, sessionId, aal } = bearer
  return withTransaction(pool, async (transaction) => {
    await lockAccount(transaction, account.id)
    await transaction.query({ name: 'auth:lock-factors', text: LOCK_FACTORS, values: [account.id] })
    await transaction.query({ name: 'auth:lock-session', text: LOCK_SESSION, values: [sessionId] })
    const caller = await readBearer(transaction, clock, { accountId: account.id, sessionId, aal })
    const { secondFactor, proof: change } = requirements(caller.account)
    if (secondFactor !== null) requireSecondFactor(caller, ...secondFactor)
    if (change !== null) await requireProof(transaction, clock, { bearer: caller, change, proof })
    return work(transaction, caller)
  })
}

/** In seconds. Such a change needs a sign-in that is no older, or another proof. */
const RECENT_SIGN_IN = 10 * 60

const FIND_PROOF = `
  select from auth.mfa_amr_claims
  where session_id = $1 and (
    authentication_method = 'recovery' or (
      updated_at >= $2 and authentication_method not in ('totp', 'recovery_code')
      and (authentication_method <> 'password' or $3)
    )
  )
  union all
  select from intercede.used_codes used join auth.mfa_factors f on f.id = used.factor_id
  where $4 and used.first_session = $1 and f.status = 'verified' and f.created_at >= $2`

/** Throws unless the proof holds at this moment. */
async function requireProof(
  database: Queryable,
  clock: Clock,
  { bearer, change, proof }: { bearer: Bearer; change: ProvenChange; proof: CheckedProof },
): Promise<void> {
  const { account, sessionId } = bearer
  if (proof.kind === 'code') return spendCode(database, clock, account, proof.code)
  const hash = passwordHashOf(account)
  const holds =
    proof.kind === 'password'
      ? proof.hash === hash
      : await hasSignedInLately(database, clock, [sessionId, hash !== null, change === 'recovery-codes'])
  if (!holds) throw new ApiError(400, 'reauthentication_needed', MESSAGES[change].missing)
}

async function hasSignedInLately(
  database: Queryable,
  clock: Clock,
  [sessionId, hasPassword, countsNewApp]: [string | null, boolean, boolean],
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - RECENT_SIGN_IN * 1000)
  const values = [sessionId, since, hasPassword, countsNewApp]
  const { rowCount } = await database.query({ name: 'auth:find-proof', text: FIND_PROOF, values })
  return (rowCount ?? 0) > 0
}
