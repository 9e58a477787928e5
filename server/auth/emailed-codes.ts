import { randomInt } from 'node:crypto'
import { ApiError } from '../errors/api-error.ts'
import type { Clock, Services } from '../services.ts'
import type { Account, Queryable } from './account.ts'
import { createToken, LINK_LIFETIME, storedForm, tokenOf } from './one-time-links.ts'
import { countFailure, forgetFailures } from './password-attempts.ts'

const CODE_LENGTH = 6

/** Also marks the account. Of several codes, only the newest works: each can be guessed. */
const VOID_CODES = `
  with account as (
    update auth.users set reauthentication_sent_at = $2, updated_at = $2 where id = $1 returning id
  )
  delete from auth.one_time_tokens
  where user_id in (select id from account) and token_type = 'reauthentication_token'`

/** A new code for an account, inside the transaction that has locked it. */
export async function storeCode(
  transaction: Queryable,
  { accountId, email, now }: { accountId: string; email: string; now: Date },
): Promise<string> {
  const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
  await transaction.query({ name: 'auth:void-codes', text: VOID_CODES, values: [accountId, now] })
  await createToken(transaction, { accountId, email, type: 'reauthentication_token', now, code })
  return code
}

/** A code that was emailed within the hour. */
const IS_VALID = `
  user_id = $1 and token_type = 'reauthentication_token' and token_hash = $2
    and created_at + make_interval(secs => $3) > $4::timestamptz at time zone 'UTC'`
const FIND_CODE = `select from auth.one_time_tokens where ${IS_VALID}`
const SPEND_CODE = `delete from auth.one_time_tokens where ${IS_VALID}`

function codeValues(clock: Clock, { id, email }: Account, code: string): unknown[] {
  return [id, storedForm(tokenOf(email ?? '', code)), LINK_LIFETIME, clock.now()]
}

/**
 * Throws unless the code is the newest that was emailed to the account. Wrong ones are limited like wrong passwords, on every
 * network.
 */
export async function checkCode(services: Services, account: Account, code: string): Promise<void> {
  const { pool, clock } = services
  const attempted = { kind: 'emailed-code', subject: account.id } as const
  await countFailure(services, attempted)
  const values = codeValues(clock, account, code)
  const { rowCount } = await pool.query({ name: 'auth:find-code', text: FIND_CODE, values })
  if (rowCount === 0) throw codeNotValid()
  await forgetFailures(pool, attempted)
}

/** Uses up a code, inside the transaction of the change that it allows. Throws if it is not valid any more. */
export async function spendCode(
  transaction: Queryable,
  clock: Clock,
  account: Account,
  code: string,
): Promise<void> {
  const values = codeValues(clock, account, code)
  const { rowCount } = await transaction.query({ name: 'auth:spend-code', text: SPEND_CODE, values })
  if (rowCount === 0) throw codeNotValid()
}

function codeNotValid(): ApiError {
  return new ApiError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
}
