import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError } from '../errors/api-error.ts'
import { checkNewPassword, checkUserMetadata, parseEmailAddress } from './account-rules.ts'
import { ACCOUNT, passwordHashOf, queryAccount, type Account, type Metadata } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer, type Bearer } from './bearer.ts'
import { countEmailChange, startEmailChange } from './email-change.ts'
import { passwordChangedEmail } from './email-templates.ts'
import { sendNotice } from './notices.ts'
import { reauthenticationNeeded, requireProof } from './proof.ts'
import { countRequests } from './rate-limits.ts'
import { redirectTarget } from './redirect-targets.ts'
import { optionalObject, optionalText, parseBody, text } from './request-body.ts'
import { requireSecondFactor } from './second-factor.ts'
import { renderUser } from './user-json.ts'

const Body = v.object({
  app_metadata: optionalObject,
  password: optionalText,
  current_password: text,
  nonce: text,
  data: optionalObject,
  phone: text,
  email: text,
})

const NEEDS_SECOND_FACTOR = 'AAL2 session is required to update email or password when MFA is enabled.'

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
    requireSecondFactor(bearer, 401, NEEDS_SECOND_FACTOR)
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
  currentPassword: string
  /** An emailed code. */
  nonce: string
}

/** Makes all checks that need nothing but the account. */
function parseUpdate(request: FastifyRequest, account: Account): Update {
  const { app_metadata: appMetadata, password, phone, data, ...body } = parseBody(request, Body)
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
    currentPassword: body.current_password,
    nonce: body.nonce,
  }
}

/** Whatever can be rejected is rejected before anything is changed. */
async function updateUser(request: FastifyRequest, services: AuthServices, bearer: Bearer): Promise<Account> {
  const { account, sessionId } = bearer
  const update = parseUpdate(request, account)
  const { password, newAddress, metadata, cancelsEmailChange } = update
  const needsProof = password !== null || newAddress !== null
  const change = password === null ? 'email' : 'password'
  if (needsProof) await requireProof(request, services, bearer, { ...update, change })
  const passwordHash = password === null ? null : await hashNewPassword(services, account, password)
  const counted =
    newAddress === null ? null : await countEmailChange(request, services, { account, email: newAddress })
  const changed = await changeAccount(services, {
    accountId: account.id,
    sessionId,
    passwordHash,
    checkedHash: passwordHashOf(account),
    needsProof,
    metadata,
    cancelsEmailChange,
  })
  if (changed === null) {
    await counted?.refund()
    if (needsProof) throw reauthenticationNeeded(change)
    throw new ApiError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
  }
  if (password !== null)
    await sendNotice(request, services, { account, template: passwordChangedEmail, path: '/?mode=reset' })
  if (newAddress === null || counted === null) return changed
  const redirectTo = redirectTarget(request, services.config)
  const pending = await startEmailChange(services, {
    account: changed,
    email: newAddress,
    counted,
    redirectTo,
  })
  if (pending === null) throw reauthenticationNeeded(change)
  return pending
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
  /** The hash of the password before. */
  checkedHash: string | null
  /** Whether nothing is changed if the password is a different one by now. */
  needsProof: boolean
  /** Merged into the user's metadata; a null removes its key. */
  metadata: Metadata
  /** A new password does so, too. */
  cancelsEmailChange: boolean
}

/**
 * A new password invalidates links and codes that were emailed before, cancels a change of the email address, and ends the user's
 * other sessions. A recovery link is good for one new password. Nothing is changed if the password was changed or removed since the
 * proof was checked: that may have been the owner, against whoever sends this.
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
      email_change = case when $8 then '' else email_change end,
      email_change_sent_at = case when $8 then null else email_change_sent_at end,
      email_change_confirm_status = case when $8 then 0 else email_change_confirm_status end,
      updated_at = $4
    where id = $1 and (not $9::boolean or coalesce(encrypted_password, '') = coalesce($7, ''))
    returning *
  ), void_links as (
    delete from auth.one_time_tokens where user_id in (select id from account) and (
      $3::text is not null
      or ($8 and token_type in ('email_change_token_new', 'email_change_token_current'))
    )
  ), used_recovery as (
    update auth.mfa_amr_claims set authentication_method = 'otp'
    where session_id = $2 and authentication_method = 'recovery' and $3::text is not null and exists (select from account)
  ), other_sessions as (
    delete from auth.sessions where user_id in (select id from account) and id is distinct from $2 and $3::text is not null
  )
  select ${ACCOUNT} from account u`

/** Applies a change in one statement. Resolves to the changed account, or to null when it was deleted or has another password by now. */
async function changeAccount({ pool, clock }: AuthServices, change: AccountChange): Promise<Account | null> {
  const { accountId, sessionId, passwordHash, checkedHash, needsProof, metadata } = change
  const cancelsEmailChange = change.cancelsEmailChange || passwordHash !== null
  const entries = Object.entries(metadata)
  const set = Object.fromEntries(entries.filter(([, value]) => value !== null))
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name)
  return queryAccount(pool, {
    name: 'auth:change-account',
    text: CHANGE,
    values: [
      accountId,
      sessionId,
      passwordHash,
      clock.now(),
      JSON.stringify(set),
      removed,
      checkedHash,
      cancelsEmailChange,
      needsProof,
    ],
  })
}
