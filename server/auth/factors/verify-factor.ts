import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError, validationFailed } from '../../errors/api-error.ts'
import { authorize, changeAccount, SESSION_ONLY, type Requirements } from '../account-change.ts'
import { NO_EMAIL_CHANGE, type Account, type Factor, type Queryable } from '../account.ts'
import type { AuthServices } from '../auth-services.ts'
import { requireBearer } from '../bearer.ts'
import { CHALLENGE_LIFETIME } from './challenge-factor.ts'
import { sendNotice } from '../notices.ts'
import { countFailure, forgetFailures, isFromKnownNetwork, networkHash } from '../password-attempts.ts'
import { countRequests } from '../rate-limits.ts'
import { parseBody, text, Uuid } from '../request-body.ts'
import { factorNotFound, findFactor, hasSecondFactor, requireSessionId } from './second-factor.ts'
import { clientDetails, type ClientDetails } from '../client-details.ts'
import { issueAccessToken, raiseSession, renderSession } from '../sessions.ts'
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
    const sessionId = requireSessionId(bearer)
    const change = await authorize(request, services, bearer, requirementsOf(request))
    const factor = findFactor(request, bearer.account)
    const { challenge_id: challengeId, code } = parseBody(request, Body)
    if (code === '') throw validationFailed('Code needs to be non-empty')
    const secret = await secretOf(services, factor, challengeId)
    const client = clientDetails(request)
    const attempted = {
      kind: 'app-code',
      subject: await subjectOf(services, bearer.account, client),
    } as const
    // Guessing the code of an app that is still being added gives no access; counting wrong ones would let others keep the owner from
    // adding it.
    if (factor.status === 'verified') await countFailure(services, attempted)
    const timeStep = timeStepOf(code, secret, services.clock.now())
    if (timeStep === null) throw wrongCode()
    const { before, session } = await changeAccount(services, change, async (transaction, { account }) => {
      const accepted = { factor: findFactor(request, account), challengeId, timeStep }
      await acceptCode(transaction, services, account, { ...accepted, sessionId })
      const given = { accountId: account.id, sessionId, method: 'totp', factorId: factor.id, client } as const
      const raised = await raiseSession(services, transaction, given)
      await forgetFailures(transaction, attempted)
      return { before: account, session: raised }
    })
    if (findFactor(request, before).status === 'unverified') {
      const template = hasSecondFactor(before) ? appAddedEmail : twoFactorOnEmail
      await sendNotice(request, services, { account: before, template, path: '/settings' })
    }
    return renderSession(reply, await issueAccessToken(services, session))
  })
}

/**
 * Whose wrong codes are counted. They slow down further ones for the account: whoever gets here knows the password. Each network from which
 * the account has given a code has a count of its own, so that nobody elsewhere keeps its owner out.
 */
async function subjectOf(services: AuthServices, account: Account, { ip }: ClientDetails): Promise<string> {
  const isKnown = await isFromKnownNetwork(services, { account, ip })
  return isKnown ? `${account.id} ${String(networkHash(account.id, ip))}` : account.id
}

/** A further app is added in a session only in which a code of the first one was given. */
function requirementsOf(request: FastifyRequest): (account: Account) => Requirements {
  return (account) =>
    findFactor(request, account).status === 'verified'
      ? SESSION_ONLY
      : { ...SESSION_ONLY, secondFactor: [403, 'AAL2 required to verify a new factor'] }
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
  factor: Factor
  challengeId: string
  timeStep: number
  /** In which it was given. */
  sessionId: string
}

/** Uses up a code. The first one of an app adds it to the account. */
async function acceptCode(
  transaction: Queryable,
  { clock }: Pick<AuthServices, 'clock'>,
  account: Account,
  { factor, challengeId, timeStep, sessionId }: AcceptedCode,
): Promise<void> {
  if (!(await useTimeStep(transaction, [factor.id, timeStep, sessionId]))) throw wrongCode()
  await transaction.query({ name: 'auth:end-challenge', text: END_CHALLENGE, values: [challengeId] })
  if (factor.status === 'verified') return
  const values = [factor.id, account.id, clock.now()]
  await transaction.query({ name: 'auth:verify-factor', text: VERIFY, values })
  if (hasSecondFactor(account)) return
  await transaction.query({
    name: 'auth:end-earlier-proofs',
    text: END_EARLIER,
    values: [account.id, sessionId],
  })
}

/** In one statement, so that of two requests with the same code, one is rejected. */
const USE_TIME_STEP = `
  insert into intercede.used_codes as used (factor_id, time_step, first_session) values ($1, $2, $3)
  on conflict (factor_id) do update set time_step = excluded.time_step where used.time_step < excluded.time_step`

/** Whether neither this code of the app nor a later one was used before. */
async function useTimeStep(
  transaction: Queryable,
  values: [factorId: string, timeStep: number, sessionId: string],
): Promise<boolean> {
  const { rowCount } = await transaction.query({ name: 'auth:use-code', text: USE_TIME_STEP, values })
  return rowCount === 1
}

const END_CHALLENGE = 'delete from auth.mfa_challenges where id = $1'

const VERIFY = `
  with verified as (
    update auth.mfa_factors set status = 'verified', updated_at = $3 where id = $1
  )
  delete from auth.mfa_factors where user_id = $2 and status = 'unverified' and id <> $1`

/**
 * Turning two-factor sign-in on voids what was begun without it: other sessions, emailed codes, links that set a password, a pending change
 * of the address, addresses for push messages, which the app registers again, and networks that take a wrong password more often. Links
 * that confirm a sign-up stay.
 */
const END_EARLIER = `
  with account as (
    update auth.users set recovery_token = '', ${NO_EMAIL_CHANGE} where id = $1 returning id
  ), sessions as (
    delete from auth.sessions where user_id = $1 and id <> $2
  ), subscriptions as (
    delete from private.push_subscriptions where user_id = $1 and session_id = $2
  ), networks as (
    delete from intercede.known_networks where user_id = $1
  ), codes as (
    delete from intercede.recovery_codes where user_id = $1
  )
  delete from auth.one_time_tokens
  where user_id in (select id from account) and token_type <> 'confirmation_token'`
