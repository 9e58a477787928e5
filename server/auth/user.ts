import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError } from '../errors/api-error.ts'
import { checkNewPassword, checkUserMetadata, parseEmailAddress } from './account-rules.ts'
import { authorize, changeAccount, proofFields, type Requirements } from './account-change.ts'
import {
  ACCOUNT,
  NO_EMAIL_CHANGE,
  passwordHashOf,
  queryAccount,
  type Account,
  type Metadata,
  type Queryable,
} from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer, type Bearer } from './bearer.ts'
import { countEmailChange, sendEmailChange, startEmailChange } from './email-change.ts'
import { passwordChangedEmail } from './email-templates.ts'
import { sendNotice } from './notices.ts'
import { networkHash } from './password-attempts.ts'
import { countRequests } from './rate-limits.ts'
import { redirectTarget } from './redirect-targets.ts'
import { optionalObject, optionalText, parseBody, text } from './request-body.ts'
import { clientDetails } from './client-details.ts'
import { renderUser } from './user-json.ts'

const Body = v.object({
  app_metadata: optionalObject,
  password: optionalText,
  ...proofFields,
  data: optionalObject,
  phone: text,
  email: text,
})

const SECOND_FACTOR = [
  401,
  'AAL2 session is required to update email or password when MFA is enabled.',
] as const

/**
 * GET /user: the caller's account. PUT /user: sets a new password, starts or cancels a change of the email address, and changes
 * the user's metadata. supabase/auth internal/api/user.go UserGet and UserUpdate.
 */
export function registerUser(app: FastifyInstance, services: AuthServices): void {
  app.get('/user', async (request) => {
    const { account } = await requireBearer(request, services)
    return renderUser(account)
  })
  const onRequest = countRequests(services, 'user')
  app.put('/user', { onRequest }, async (request) => {
    const bearer = await requireBearer(request, services)
    return renderUser(await updateUser(request, services, bearer))
  })
}

interface Update {
  password: string | null
  /** In lower case; null unless it differs from the present one. */
  newAddress: string | null
  /** The present address was given as the new one. */
  cancelsEmailChange: boolean
  metadata: Metadata
}

/** Makes all checks that need nothing but the account. */
function parseUpdate(body: v.InferOutput<typeof Body>, account: Account): Update {
  const { app_metadata: appMetadata, password, phone, data } = body
  if (appMetadata !== null) {
    throw new ApiError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  }
  if (password !== null) checkNewPassword(password)
  const metadata = data ?? {}
  checkUserMetadata(metadata, account.raw_user_meta_data ?? {})
  if (phone !== '') throw new ApiError(400, 'phone_provider_disabled', 'Phone numbers are not supported')
  const email = body.email === '' ? null : parseEmailAddress(body.email)
  const isPresent = email !== null && email === account.email
  return {
    password,
    newAddress: isPresent ? null : email,
    cancelsEmailChange: isPresent,
    metadata,
  }
}

/** Whatever can be rejected is rejected before anything is changed. */
async function updateUser(request: FastifyRequest, services: AuthServices, bearer: Bearer): Promise<Account> {
  const { account, sessionId } = bearer
  const body = parseBody(request, Body)
  const update = parseUpdate(body, account)
  const { password, newAddress: email } = update
  const requirements: Requirements = { secondFactor: SECOND_FACTOR, proof: proofFor(update) }
  const change = await authorize(request, services, bearer, () => requirements, body)
  const passwordHash = password === null ? null : await hashNewPassword(services, account, password)
  const counted = email === null ? null : await countEmailChange(request, services, { account, email })
  const { changed, pending } = await changeAccount(services, change, async (transaction, caller) => {
    const now = services.clock.now()
    const after = await storeUpdate(transaction, {
      account: caller.account,
      sessionId,
      passwordHash,
      update,
      network: networkHash(account.id, clientDetails(request).ip),
      now,
    })
    return {
      changed: after,
      pending:
        email === null ? null : await startEmailChange(services, transaction, { account: after, email }),
    }
  }).catch(async (error: unknown) => {
    await counted?.refund()
    throw error
  })
  if (password !== null)
    await sendNotice(request, services, { account, template: passwordChangedEmail, path: '/?mode=reset' })
  if (pending === null || counted === null) return changed
  const redirectTo = redirectTarget(request, services.config)
  await sendEmailChange(services, { ...pending, counted, redirectTo })
  return pending.account
}

function proofFor({ password, newAddress }: Update): Requirements['proof'] {
  if (password !== null) return 'password'
  return newAddress === null ? null : 'email'
}

async function hashNewPassword(
  { passwords }: AuthServices,
  account: Account,
  password: string,
): Promise<string> {
  const current = passwordHashOf(account)
  if (current !== null && (await passwords.matches(password, current))) {
    const message = 'New password should be different from the old password.'
    throw new ApiError(422, 'same_password', message)
  }
  return passwords.hash(password)
}

interface StoredUpdate {
  account: Account
  /** The caller's session; it survives a password change, all others end. Null if none does. */
  sessionId: string | null
  /** Null leaves the password as it is. */
  passwordHash: string | null
  update: Pick<Update, 'metadata' | 'cancelsEmailChange'>
  /** The caller's network, as it is stored. */
  network: string | null
  now: Date
}

const SET_METADATA = `
  with account as (
    update auth.users set
      raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $2::jsonb) - $3::text[],
      updated_at = $4
    where id = $1
    returning *
  )
  select ${ACCOUNT} from account u`

const CANCEL_EMAIL_CHANGE = `
  with account as (
    update auth.users set ${NO_EMAIL_CHANGE}, updated_at = $2 where id = $1 returning *
  ), void_links as (
    delete from auth.one_time_tokens
    where user_id = $1 and token_type in ('email_change_token_new', 'email_change_token_current')
  )
  select ${ACCOUNT} from account u`

/**
 * A new password invalidates links and codes that were emailed before, cancels a change of the email address, and ends the user's
 * other sessions. Only the caller's network stays known: elsewhere, wrong passwords are limited again. A recovery link is good for one new
 * password.
 *
 * `confirmation_sent_at` remains if the session was started with the password, which may be a stranger's: replacing it by
 * another one must not keep a recovery link from removing it (verify.ts).
 */
const SET_PASSWORD = `
  with account as (
    update auth.users set
      encrypted_password = $3,
      confirmation_token = '',
      confirmation_sent_at = case when exists (
        select from auth.mfa_amr_claims where session_id = $2 and authentication_method = 'password'
      ) then confirmation_sent_at end,
      recovery_token = '',
      recovery_sent_at = null,
      ${NO_EMAIL_CHANGE},
      updated_at = $4
    where id = $1
    returning *
  ), void_links as (
    delete from auth.one_time_tokens where user_id = $1
  ), used_recovery as (
    update auth.mfa_amr_claims set authentication_method = 'otp'
    where session_id = $2 and authentication_method = 'recovery'
  ), other_sessions as (
    delete from auth.sessions where user_id = $1 and id is distinct from $2
  ), networks as (
    delete from intercede.known_networks where user_id = $1 and network_hash is distinct from $5
  )
  select ${ACCOUNT} from account u`

/**
 * Stores what can be changed at once, inside the transaction that has locked the account. Resolves to the account with the changes. A null
 * in the metadata removes its key. supabase/auth internal/models/user.go UpdateUserMetaData and UpdatePassword.
 */
export async function storeUpdate(
  transaction: Queryable,
  { account, sessionId, passwordHash, update, network, now }: StoredUpdate,
): Promise<Account> {
  const { metadata, cancelsEmailChange } = update
  const entries = Object.entries(metadata)
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null))
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name)
  let changed = await queryAccount(transaction, {
    name: 'auth:set-metadata',
    text: SET_METADATA,
    values: [account.id, JSON.stringify(set), removed, now],
  })
  if (cancelsEmailChange)
    changed = await queryAccount(transaction, {
      name: 'auth:cancel-email-change',
      text: CANCEL_EMAIL_CHANGE,
      values: [account.id, now],
    })
  if (passwordHash !== null)
    changed = await queryAccount(transaction, {
      name: 'auth:set-password',
      text: SET_PASSWORD,
      values: [account.id, sessionId, passwordHash, now, network],
    })
  return changed ?? account
}
