import type { FastifyRequest } from 'fastify'
import { DatabaseError } from 'pg'
import { ApiError } from '../errors/api-error.ts'
import {
  ACCOUNT,
  findAccountByEmail,
  NO_EMAIL_CHANGE,
  queryAccount,
  type Account,
  type Queryable,
} from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { addressInUseEmail, newAddressEmail, presentAddressEmail } from './email-templates.ts'
import { attemptEmail, createToken, linkTo } from './one-time-links.ts'
import type { CountedEmail } from './rate-limits.ts'

interface EmailChange {
  account: Account
  /** The new address, in lower case. */
  email: string
}

/** The present address if it has to agree, else null. */
function addressToAsk({ config }: AuthServices, { account }: EmailChange): string | null {
  const { email } = account
  return config.secureEmailChange && email !== null && email !== '' ? email : null
}

/** Counts the emails of a change. Throws 429 when one of them may not be sent, and counts none then. */
export async function countEmailChange(
  request: FastifyRequest,
  services: AuthServices,
  change: EmailChange,
): Promise<Pick<CountedEmail, 'refund'>> {
  const { limits } = services
  const { account, email: newAddress } = change
  const present = addressToAsk(services, change)
  // Whether someone else has the new address must not show, so its account is not looked up here.
  const counted = [
    await limits.countEmail(request, { type: 'email_change_new', email: newAddress, account: null }),
  ]
  const refund = async () => {
    for (const email of counted) await email.refund()
  }
  try {
    if (present !== null)
      counted.push(
        await limits.countEmail(request, { type: 'email_change_current', email: present, account }),
      )
  } catch (error) {
    await refund()
    throw error
  }
  return { refund }
}

/**
 * Emails the links that change an account's address; it changes once they are opened.
 * supabase/auth internal/api/mail.go sendEmailChange.
 *
 * If the new address has an account, its owner is told so instead, and all else is the same: nobody learns of that account,
 * and the change is never complete. GoTrue responds with `email_exists`.
 *
 * Throws 500 when an email could not be sent; nothing is pending then.
 */
export async function sendEmailChange(
  services: AuthServices,
  given: PendingChange & { counted: Pick<CountedEmail, 'refund'>; redirectTo: string },
): Promise<void> {
  const { pool, config, mailer } = services
  const { account, email, present, tokens, startedAt, counted, redirectTo } = given
  const product = config.productName
  const linkOf = (token: string) => linkTo(services, { token, type: 'email_change', redirectTo })
  const isInUse = (await findAccountByEmail(pool, email)) !== null
  const emails = [
    isInUse
      ? addressInUseEmail({ to: email, product, link: `${config.siteUrl}/` })
      : newAddressEmail({ to: email, product, link: linkOf(tokens.new) }),
    ...(present === null
      ? []
      : [presentAddressEmail({ to: present, newAddress: email, product, link: linkOf(tokens.present) })]),
  ]
  try {
    await attemptEmail({ counted, failure: 'Error sending email change email' }, () =>
      Promise.all(emails.map(async (one) => mailer.send(one))),
    )
  } catch (error) {
    await pool.query({ name: 'auth:undo-email-change', text: UNDO, values: [account.id, email, startedAt] })
    throw error
  }
}

/** `email_change_confirm_status` is 1 when one confirmation is left, as in GoTrue. */
const START = `
  with account as (
    update auth.users set email_change = $2, email_change_sent_at = $3, email_change_confirm_status = $4, updated_at = $3
    where id = $1
    returning *
  ), void_links as (
    delete from auth.one_time_tokens
    where user_id = $1 and token_type in ('email_change_token_new', 'email_change_token_current')
  )
  select ${ACCOUNT} from account u`

/** A change of the address that waits for its links to be opened. */
interface PendingChange extends EmailChange {
  /** The address that has to agree, else null. */
  present: string | null
  /** One for each address; the second is empty if that need not agree. */
  tokens: { new: string; present: string }
  startedAt: Date
}

/** Stores a change of the address, inside the transaction that has locked the account. Links of an earlier change become invalid. */
export async function startEmailChange(
  services: AuthServices,
  transaction: Queryable,
  change: EmailChange,
): Promise<PendingChange> {
  const present = addressToAsk(services, change)
  const { email } = change
  const accountId = change.account.id
  const now = services.clock.now()
  const account = await queryAccount(transaction, {
    name: 'auth:start-email-change',
    text: START,
    values: [accountId, email, now, present === null ? 1 : 0],
  })
  const tokenFor = (type: 'email_change_token_new' | 'email_change_token_current', address: string) =>
    createToken(transaction, { accountId, email: address, type, now })
  return {
    account: account ?? change.account,
    email,
    present,
    tokens: {
      new: await tokenFor('email_change_token_new', email),
      present: present === null ? '' : await tokenFor('email_change_token_current', present),
    },
    startedAt: now,
  }
}

const UNDO = `
  with account as (
    update auth.users set ${NO_EMAIL_CHANGE} where id = $1 and email_change = $2 and email_change_sent_at = $3
    returning id
  )
  delete from auth.one_time_tokens
  where user_id in (select id from account) and token_type in ('email_change_token_new', 'email_change_token_current')`

const CONFIRM_FIRST = `
  update auth.users set email_change_confirm_status = 1, updated_at = $2
  where id = $1 and email_change_confirm_status = 0`
/** An account that has none so far gets an email identity, as in GoTrue. */
const COMPLETE = `
  with account as (
    update auth.users set
      email = email_change, email_confirmed_at = coalesce(email_confirmed_at, $2),
      confirmation_token = '', recovery_token = '', ${NO_EMAIL_CHANGE},
      raw_user_meta_data = case when raw_user_meta_data ? 'email'
        then raw_user_meta_data || jsonb_build_object('email', email_change, 'email_verified', true)
        else raw_user_meta_data end,
      raw_app_meta_data = case when raw_app_meta_data -> 'providers' ? 'email'
        then raw_app_meta_data
        else coalesce(raw_app_meta_data, '{}') || jsonb_build_object(
          'providers', coalesce(raw_app_meta_data -> 'providers', '[]') || '["email"]'
        ) end,
      updated_at = $2
    where id = $1 and email_change <> ''
    returning id, email
  ), void_links as (
    delete from auth.one_time_tokens where user_id in (select id from account)
  )
  insert into auth.identities as identity (
    id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
  )
  select gen_random_uuid(), id::text, id,
    jsonb_build_object('sub', id, 'email', email, 'email_verified', true, 'phone_verified', false), 'email', $2, $2, $2
  from account
  on conflict (provider_id, provider) do update
  set identity_data = identity.identity_data || excluded.identity_data, updated_at = $2`

const UNIQUE_VIOLATION = '23505'

/** Somebody else has the address. */
export function emailExists(): ApiError {
  return new ApiError(422, 'email_exists', 'A user with this email address has already been registered')
}

const START_AT_ONCE = 'update auth.users set email_change = $2, email_change_confirm_status = 1 where id = $1'
const SET_CONFIRMED = `
  with account as (
    update auth.users set email_confirmed_at = $2,
      raw_user_meta_data = case when raw_user_meta_data ? 'email_verified'
        then raw_user_meta_data || jsonb_build_object('email_verified', $2::timestamptz is not null)
        else raw_user_meta_data end
    where id = $1
  )
  update auth.identities set identity_data = identity_data || jsonb_build_object('email_verified', $3::boolean)
  where user_id = $1 and provider = 'email'`

/**
 * Changes an address without asking its owner, inside the transaction that has locked the account. Whether the address counts as
 * confirmed stays as it is, and nothing has proven it unless `confirmsEmail`. Throws `email_exists`.
 */
export async function changeEmailAtOnce(
  transaction: Queryable,
  { account, email, confirmsEmail, now }: EmailChange & { confirmsEmail: boolean; now: Date },
): Promise<void> {
  const confirmedAt = confirmsEmail ? (account.email_confirmed_at ?? now) : account.email_confirmed_at
  await transaction.query({ name: 'auth:start-at-once', text: START_AT_ONCE, values: [account.id, email] })
  await confirmEmailChange(transaction, { accountId: account.id, now })
  await transaction.query({
    name: 'auth:set-confirmed',
    text: SET_CONFIRMED,
    values: [account.id, confirmedAt, confirmsEmail],
  })
}

/**
 * Counts an opened link, inside the transaction that has taken its token. Resolves to false when the link to the other address
 * has yet to be opened, else to true: the address is changed then, and all other links are void.
 * Throws `email_exists` when somebody else has the address by now. supabase/auth internal/api/verify.go emailChangeVerify.
 */
export async function confirmEmailChange(
  transaction: Queryable,
  { accountId, now }: { accountId: string; now: Date },
): Promise<boolean> {
  const values = [accountId, now]
  const first = await transaction.query({ name: 'auth:confirm-first', text: CONFIRM_FIRST, values })
  if (first.rowCount === 1) return false
  try {
    await transaction.query({ name: 'auth:complete-email-change', text: COMPLETE, values })
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) throw error
    throw emailExists()
  }
  return true
}
