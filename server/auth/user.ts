import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError } from '../errors/api-error.ts'
import { checkNewPassword, checkUserMetadata, parseEmailAddress } from './account-rules.ts'
import { ACCOUNT, passwordHashOf, queryAccount, type Account, type Metadata } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer, type Bearer } from './bearer.ts'
import { checkPassword } from './password-attempts.ts'
import { countRequests } from './rate-limits.ts'
import { optionalObject, optionalText, parseBody, text } from './request-body.ts'
import { clientDetails } from './sessions.ts'
import { renderUser } from './user-json.ts'

const Body = v.object({
  app_metadata: optionalObject,
  password: optionalText,
  current_password: text,
  data: optionalObject,
  phone: text,
  email: text,
})

/**
 * GET /user: the caller's account. PUT /user: sets a new password and changes the user's metadata.
 * supabase/auth internal/api/user.go UserGet and UserUpdate.
 */
export function registerUser(app: FastifyInstance, services: AuthServices): void {
  app.get('/user', async (request) => {
    const { account } = await requireBearer(request, services)
    return renderUser(account)
  })
  const onRequest = countRequests(services, 'user')
  app.put('/user', { onRequest }, async (request) => {
    const bearer = await requireBearer(request, services)
    const { account, sessionId } = bearer
    const { app_metadata: appMetadata, password, data, phone, email, ...body } = parseBody(request, Body)
    if (appMetadata !== null) {
      throw new ApiError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
    }
    if (password !== null) checkNewPassword(password)
    const metadata = data ?? {}
    checkUserMetadata(metadata, account.raw_user_meta_data ?? {})
    rejectNewAddress(account, { phone, email })
    if (password !== null) await requireProof(request, services, bearer, body.current_password)
    const changed = await changeAccount(services, {
      accountId: account.id,
      sessionId,
      passwordHash: password === null ? null : await hashNewPassword(services, account, password),
      checkedHash: passwordHashOf(account),
      metadata,
    })
    if (changed === null) {
      if (password !== null) throw reauthenticationNeeded()
      throw new ApiError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
    }
    return renderUser(changed)
  })
}

/**
 * Email addresses can't be changed, and there are no phone numbers; an attempt is an error rather than ignored. Unlike GoTrue's,
 * the error is the same for an address that has an account.
 */
function rejectNewAddress(account: Account, given: { phone: string; email: string }): void {
  if (given.phone !== '') {
    throw new ApiError(400, 'phone_provider_disabled', 'Phone numbers are not supported')
  }
  if (given.email === '') return
  if (parseEmailAddress(given.email) === account.email) return
  throw new ApiError(400, 'validation_failed', 'Changing the email address is not supported')
}

/** In seconds. A new password needs a sign-in that is no older, or another proof. */
const RECENT_SIGN_IN = 10 * 60

const FIND_PROOF = `
  select from auth.mfa_amr_claims
  where session_id = $1 and (
    authentication_method = 'recovery' or (updated_at >= $2 and (authentication_method <> 'password' or $3))
  )
  limit 1`

/**
 * An access token may be stolen, so setting a password takes more: the current one, a session from a recovery link, or a
 * recent sign-in, unless that was with a password which a recovery link has removed since. Throws GoTrue's errors
 * (internal/api/user.go), which asks for less unless it is configured to.
 */
async function requireProof(
  request: FastifyRequest,
  services: AuthServices,
  { account, sessionId }: Bearer,
  currentPassword: string,
): Promise<void> {
  if (currentPassword !== '') {
    const { ip } = clientDetails(request)
    const attempt = { email: account.email ?? '', password: currentPassword, account, ip }
    if (await checkPassword(services, attempt)) return
    const message = 'Current password required when setting new password.'
    throw new ApiError(400, 'current_password_invalid', message)
  }
  const since = new Date(services.clock.now().getTime() - RECENT_SIGN_IN * 1000)
  const { rowCount } = await services.pool.query({
    name: 'auth:find-proof',
    text: FIND_PROOF,
    values: [sessionId, since, passwordHashOf(account) !== null],
  })
  if (rowCount !== 1) throw reauthenticationNeeded()
}

function reauthenticationNeeded(): ApiError {
  return new ApiError(400, 'reauthentication_needed', 'Password update requires reauthentication')
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

interface AccountChange {
  accountId: string
  /** The caller's session; it survives a password change, all others end. */
  sessionId: string | null
  /** Null leaves the password as it is. */
  passwordHash: string | null
  /** The hash of the password before; if a different one is stored by now, no new one is. */
  checkedHash: string | null
  /** Merged into the user's metadata; a null removes its key. */
  metadata: Metadata
}

/**
 * A new password invalidates links that were emailed before and ends the user's other sessions. A recovery link is good for
 * one new password. A password that was changed or removed since the proof was checked stays as it is: the change may have been the
 * owner's, against whoever sends this.
 *
 * `confirmation_sent_at` remains if the session was started with the password, which may be a stranger's: replacing it by
 * another one must not keep a recovery link from removing it (verify.ts).
 * supabase/auth internal/models/user.go UpdatePassword and UpdateUserMetaData.
 */
const CHANGE = `
  with account as (
    update auth.users set
      raw_user_meta_data = (coalesce(raw_user_meta_data, '{}') || $5::jsonb) - $6::text[],
      encrypted_password = coalesce($3, encrypted_password),
      confirmation_token = case when $3::text is null then confirmation_token else '' end,
      confirmation_sent_at = case when $3::text is null or exists (
        select from auth.mfa_amr_claims where session_id = $2 and authentication_method = 'password'
      ) then confirmation_sent_at end,
      recovery_token = case when $3::text is null then recovery_token else '' end,
      recovery_sent_at = case when $3::text is null then recovery_sent_at end,
      updated_at = $4
    where id = $1 and ($3::text is null or coalesce(encrypted_password, '') = coalesce($7, ''))
    returning *
  ), void_links as (
    delete from auth.one_time_tokens where user_id in (select id from account) and $3::text is not null
  ), used_recovery as (
    update auth.mfa_amr_claims set authentication_method = 'otp'
    where session_id = $2 and authentication_method = 'recovery' and $3::text is not null and exists (select from account)
  ), other_sessions as (
    delete from auth.sessions where user_id in (select id from account) and id is distinct from $2 and $3::text is not null
  )
  select ${ACCOUNT} from account u`

/** Applies a change in one statement. Resolves to the changed account, or to null when it was deleted. */
async function changeAccount({ pool, clock }: AuthServices, change: AccountChange): Promise<Account | null> {
  const { accountId, sessionId, passwordHash, checkedHash, metadata } = change
  const entries = Object.entries(metadata)
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null))
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name)
  return queryAccount(pool, {
    name: 'auth:change-account',
    text: CHANGE,
    values: [accountId, sessionId, passwordHash, clock.now(), JSON.stringify(set), removed, checkedHash],
  })
}
