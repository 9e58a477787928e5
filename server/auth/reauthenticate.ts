import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import type { Account, Queryable } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer } from './bearer.ts'
import { reauthenticationEmail } from './email-templates.ts'
import { attemptEmail, createToken, LINK_LIFETIME, storedForm, tokenOf } from './one-time-links.ts'
import { countFailure, forgetFailures } from './password-attempts.ts'
import { countRequests } from './rate-limits.ts'
import { requireSecondFactor } from './second-factor.ts'

const CODE_LENGTH = 6

/** Also marks the account. Of several codes, only the newest works: each can be guessed. */
const VOID_CODES = `
  with account as (
    update auth.users set reauthentication_sent_at = $2, updated_at = $2 where id = $1 returning id
  )
  delete from auth.one_time_tokens
  where user_id in (select id from account) and token_type = 'reauthentication_token'`

/**
 * GET /reauthenticate: emails a code that allows the caller to change password or email address.
 * supabase/auth internal/api/reauthenticate.go.
 */
export function registerReauthenticate(app: FastifyInstance, services: AuthServices): void {
  const { pool, clock, config, limits, mailer } = services
  const onRequest = countRequests(services, 'reauthenticate')
  app.get('/reauthenticate', { onRequest, exposeHeadRoute: false }, async (request) => {
    const bearer = await requireBearer(request, services)
    requireSecondFactor(bearer, 403, 'AAL2 required to reauthenticate')
    const { account } = bearer
    const email = confirmedAddress(account)
    const counted = await limits.countEmail(request, { type: 'reauthentication', email, account })
    const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
    const now = clock.now()
    await pool.query({ name: 'auth:void-codes', text: VOID_CODES, values: [account.id, now] })
    await createToken(pool, { accountId: account.id, email, type: 'reauthentication_token', now, code })
    await attemptEmail({ counted, failure: 'Error sending reauthentication email' }, async () =>
      mailer.send(reauthenticationEmail({ to: email, product: config.productName, code })),
    )
    return {}
  })
}

function confirmedAddress({ email, email_confirmed_at: confirmedAt }: Account): string {
  if (email === null || email === '') {
    const message = 'Reauthentication requires the user to have an email or a phone number'
    throw new ApiError(400, 'validation_failed', message)
  }
  if (confirmedAt === null) {
    throw new ApiError(422, 'email_not_confirmed', 'Please verify your email first.')
  }
  return email
}

const FIND_CODE = `
  select from auth.one_time_tokens
  where user_id = $1 and token_type = 'reauthentication_token' and token_hash = $2
    and created_at + make_interval(secs => $3) > $4::timestamptz at time zone 'UTC'`

/**
 * Throws unless the code is the newest that was emailed to the account. Wrong ones are limited like wrong passwords, on every
 * network. The change that it allows deletes it.
 */
export async function checkCode(services: AuthServices, account: Account, code: string): Promise<void> {
  const { pool, clock } = services
  const key = `reauthentication ${account.id}`
  await countFailure(services, key)
  const hash = storedForm(tokenOf(account.email ?? '', code))
  const values = [account.id, hash, LINK_LIFETIME, clock.now()]
  const { rowCount } = await pool.query({ name: 'auth:find-code', text: FIND_CODE, values })
  if (rowCount === 0) {
    throw new ApiError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
  }
  await forgetFailures(services, key)
}

const DELETE_CODES = `delete from auth.one_time_tokens where user_id = $1 and token_type = 'reauthentication_token'`

/** Uses up the codes of an account, inside the transaction of the change that one has allowed. */
export async function deleteCodes(transaction: Queryable, accountId: string): Promise<void> {
  await transaction.query({ name: 'auth:delete-codes', text: DELETE_CODES, values: [accountId] })
}
