import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { withTransaction } from '../db/transaction.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Factor, Queryable } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer, type Bearer } from './bearer.ts'
import { CHALLENGE_LIFETIME } from './challenge-factor.ts'
import { sendNotice } from './notices.ts'
import { countFailure, forgetFailures } from './password-attempts.ts'
import { countRequests } from './rate-limits.ts'
import { parseBody, text, Uuid } from './request-body.ts'
import {
  factorNotFound,
  findFactor,
  hasSecondFactor,
  lockAccount,
  requireSessionId,
} from './second-factor.ts'
import { issueAccessToken, raiseSession, renderSession, type StoredSession } from './sessions.ts'
import { decryptSecret, timeStepOf } from './totp.ts'
import { appAddedEmail, twoFactorOnEmail } from './two-factor-emails.ts'

const Body = v.object({ challenge_id: text, code: text })

/**
 * POST /factors/:id/verify: gives the code of an app, which raises the session to `aal2`. The first code of an app adds it to the
 * account. supabase/auth internal/api/mfa.go verifyTOTPFactor.
 */
export function registerVerifyFactor(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'factors')
  app.post('/factors/:id/verify', { onRequest }, async (request, reply) => {
    const bearer = await requireBearer(request, services)
    const factor = findFactor(request, bearer.account)
    const { challenge_id: challengeId, code } = parseBody(request, Body)
    if (code === '') throw new ApiError(400, 'validation_failed', 'Code needs to be non-empty')
    const secret = await secretOf(services, factor, challengeId)
    // Wrong codes slow down further ones for the account, on every network: whoever gets here knows the password. Its owner can still
    // use a recovery code.
    const failuresKey = `codes of ${bearer.account.id}`
    await countFailure(services, failuresKey)
    const timeStep = timeStepOf(code, secret, services.clock.now())
    if (timeStep === null) throw wrongCode()
    const session = await acceptCode(request, services, bearer, {
      factorId: factor.id,
      challengeId,
      timeStep,
    })
    await forgetFailures(services, failuresKey)
    return renderSession(reply, await issueAccessToken(services, session))
  })
}

const FIND = `
  select f.secret, c.created_at as challenged_at
  from auth.mfa_factors f left join auth.mfa_challenges c on c.factor_id = f.id and c.id = $2
  where f.id = $1 and f.factor_type = 'totp'`

/** The app's secret, if the challenge is one of this app and has not expired. */
async function secretOf(
  { pool, keys, clock }: AuthServices,
  { id }: Factor,
  challengeId: string,
): Promise<string> {
  const values = [id, v.is(Uuid, challengeId) ? challengeId : null]
  const { rows } = await pool.query<{ secret: string; challenged_at: Date | null }>({
    name: 'auth:find-challenge',
    text: FIND,
    values,
  })
  const [row] = rows
  if (row === undefined) throw factorNotFound()
  if (row.challenged_at === null) {
    const message = 'MFA factor with the provided challenge ID not found'
    throw new ApiError(422, 'mfa_factor_not_found', message)
  }
  if (row.challenged_at.getTime() + CHALLENGE_LIFETIME * 1000 < clock.now().getTime()) {
    const message = `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`
    throw new ApiError(422, 'mfa_challenge_expired', message)
  }
  const secret = await decryptSecret(keys, row.secret)
  if (secret !== null) return secret
  const message = "The server's secret has changed since this app was added: its codes no longer work"
  throw new ApiError(422, 'mfa_factor_unreadable', message)
}

function wrongCode(): ApiError {
  return new ApiError(422, 'mfa_verification_failed', 'Invalid TOTP code entered')
}

interface AcceptedCode {
  factorId: string
  challengeId: string
  timeStep: number
}

/** Uses up a code, and raises the session; both, or neither. */
async function acceptCode(
  request: FastifyRequest,
  services: AuthServices,
  bearer: Bearer,
  { factorId, challengeId, timeStep }: AcceptedCode,
): Promise<StoredSession> {
  const { pool, clock } = services
  const accountId = bearer.account.id
  const sessionId = requireSessionId(bearer)
  const { before, session } = await withTransaction(pool, async (transaction) => {
    const account = await lockAccount(transaction, accountId)
    if (!account.factors.some(({ id }) => id === factorId)) throw factorNotFound()
    if (!(await useTimeStep(transaction, factorId, timeStep))) throw wrongCode()
    const values = [factorId, accountId, challengeId, clock.now()]
    await transaction.query({ name: 'auth:verify-factor', text: VERIFY, values })
    const given = { accountId, sessionId, method: 'totp', factorId } as const
    return { before: account, session: await raiseSession(services, transaction, given) }
  })
  if (before.factors.some(({ id, status }) => id === factorId && status === 'unverified')) {
    const template = hasSecondFactor(before) ? appAddedEmail : twoFactorOnEmail
    await sendNotice(request, services, { account: before, template, path: '/settings' })
  }
  return session
}

/** In one statement, so that of two requests with the same code, one is rejected. */
const USE_TIME_STEP = `
  insert into intercede.used_codes as used (factor_id, time_step) values ($1, $2)
  on conflict (factor_id) do update set time_step = excluded.time_step where used.time_step < excluded.time_step`

/** Whether neither this code of the app nor a later one was used before. */
async function useTimeStep(transaction: Queryable, factorId: string, timeStep: number): Promise<boolean> {
  const values = [factorId, timeStep]
  const { rowCount } = await transaction.query({ name: 'auth:use-code', text: USE_TIME_STEP, values })
  return rowCount === 1
}

const VERIFY = `
  with verified as (
    update auth.mfa_factors set status = 'verified', updated_at = $4 where id = $1 and status = 'unverified'
  ), others as (
    delete from auth.mfa_factors where user_id = $2 and status = 'unverified' and id <> $1
  )
  delete from auth.mfa_challenges where id = $3`
