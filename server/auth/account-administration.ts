import { withTransaction } from '../db/transaction.ts'
import { ApiError } from '../errors/api-error.ts'
import { checkUserMetadata } from './account-rules.ts'
import {
  ACCOUNT,
  findAccount,
  NO_EMAIL_CHANGE,
  type Account,
  type Metadata,
  type Queryable,
} from './account.ts'
import { administer, record, type Actor, type AdminServices } from './administration-log.ts'
import { insertAccount } from './create-account.ts'
import { changeEmailAtOnce, emailExists } from './email-change.ts'
import { addressChangedEmail, passwordChangedEmail } from './email-templates.ts'
import { tellOwner } from './notices.ts'
import { INVITATION_LIFETIME } from './one-time-links.ts'
import { hasSecondFactor } from './factors/second-factor.ts'
import { twoFactorRemovedEmail } from './factors/two-factor-emails.ts'
import { storeUpdate } from './user.ts'

/** What is done to such an account is told at its address. */
export function refuseWithSecondFactor(account: Account): void {
  if (!hasSecondFactor(account)) return
  const message = 'The service key does not change the address of an account with two-factor sign-in'
  throw new ApiError(403, 'not_admin', message)
}

/** An account in the list. */
export interface ListedAccount {
  account: Account
  /** When one of its sessions was last begun or renewed; null if nobody has ever signed in. */
  lastUsed: Date | null
  /** What it holds: categories, prayers, updates and prayed days, and the bytes of their texts. */
  rows: number
  bytes: number
}

const MATCHES = `strpos(coalesce(u.email, ''), lower($1)) > 0 and (not $2 or (
    u.invited_at is not null and u.email_confirmed_at is null and u.last_sign_in_at is null
  ))`
const LIST = `
  select ${ACCOUNT},
    greatest(u.last_sign_in_at, (select max(s.updated_at) from auth.sessions s where s.user_id = u.id)) as "lastUsed",
    coalesce(used.categories + used.prayers + used.updates + used.prayed_days, 0) as rows,
    coalesce(used.text_bytes, 0)::float8 as bytes
  from auth.users u left join private.account_usage used on used.user_id = u.id
  where ${MATCHES}
  order by u.created_at desc, u.id limit $3 offset $4`
const COUNT = `select count(*)::int as count from auth.users u where ${MATCHES}`

/** A page of the accounts whose address contains a text, the newest first, and how many there are. */
export async function listAccounts(
  database: Queryable,
  given: { filter: string; page: number; perPage: number; onlyInvited?: boolean },
): Promise<{ listed: ListedAccount[]; total: number }> {
  const { filter, page, perPage, onlyInvited = false } = given
  const { rows: listed } = await database.query<ListedAccount>({
    name: 'auth:list-accounts',
    text: LIST,
    values: [filter, onlyInvited, perPage, (page - 1) * perPage],
  })
  const { rows } = await database.query<{ count: number }>({
    name: 'auth:count-accounts',
    text: COUNT,
    values: [filter, onlyInvited],
  })
  return { listed, total: rows[0]?.count ?? 0 }
}

/** Until when an invited person can accept. */
export function endOfInvitation({ invited_at: invitedAt }: Account): Date | null {
  return invitedAt === null ? null : new Date(Date.parse(invitedAt) + INVITATION_LIFETIME * 1000)
}

/** An account to be made. */
export interface AccountToCreate {
  id: string | null
  /** In lower case. */
  email: string
  /** Empty for none. */
  passwordHash: string
  confirmsEmail: boolean
  userMetadata: Metadata
  appMetadata: Metadata
  /** Null: it is not blocked. */
  bannedUntil: Date | null
}

const SET_USER_METADATA = 'update auth.users set raw_user_meta_data = $2 where id = $1'

/** Creates an account whose user is told nothing. Throws `email_exists` and `user_already_exists`. supabase/auth internal/api/admin.go adminUserCreate. */
export async function createAccount(
  services: AdminServices,
  by: Actor,
  { id, email, passwordHash, confirmsEmail, userMetadata, appMetadata, bannedUntil }: AccountToCreate,
): Promise<Account> {
  const now = services.clock.now()
  return withTransaction(services.pool, async (transaction) => {
    const created = await insertAccount(transaction, {
      ...(id === null ? {} : { id }),
      email,
      passwordHash,
      metadata: {},
      confirmed: confirmsEmail,
      now,
    })
    if (created === null) {
      const isIdTaken = id !== null && (await findAccount(transaction, id)) !== null
      throw isIdTaken ? idExists() : emailExists()
    }
    const data = confirmsEmail ? { ...userMetadata, email_verified: true } : userMetadata
    await setUserMetadata(transaction, created.id, data)
    await setAppMetadata(transaction, created.id, appMetadata)
    await setBan(transaction, created.id, bannedUntil)
    await record(transaction, services, { action: 'create', by, accountId: created.id })
    return (await findAccount(transaction, created.id)) ?? created
  })
}

function idExists(): ApiError {
  return new ApiError(422, 'user_already_exists', 'A user with this ID has already been registered')
}

export async function setUserMetadata(transaction: Queryable, id: string, metadata: Metadata): Promise<void> {
  const values = [id, JSON.stringify(metadata)]
  await transaction.query({ name: 'auth:set-user-metadata', text: SET_USER_METADATA, values })
}

/** As in the user's metadata, a null removes its key. */
const SET_APP_METADATA = `
  update auth.users set raw_app_meta_data = (coalesce(raw_app_meta_data, '{}') || $2::jsonb) - $3::text[] where id = $1`

async function setAppMetadata(transaction: Queryable, id: string, metadata: Metadata): Promise<void> {
  const removed = Object.keys(metadata).filter((name) => metadata[name] === null)
  const values = [id, JSON.stringify(metadata), removed]
  await transaction.query({ name: 'auth:set-app-metadata', text: SET_APP_METADATA, values })
}

const SET_BAN = 'update auth.users set banned_until = $2 where id = $1'

async function setBan(transaction: Queryable, id: string, until: Date | 'infinity' | null): Promise<void> {
  await transaction.query({ name: 'auth:set-ban', text: SET_BAN, values: [id, until] })
}

/** What to change of an account; null leaves it as it is. */
export interface AccountChanges {
  email: string | null
  confirmsEmail: boolean
  passwordHash: string | null
  userMetadata: Metadata
  appMetadata: Metadata
  ban: { until: Date | null } | null
}

/** Only a link opened by its owner proves an address (verify.ts): this leaves the identity as it is. */
const CONFIRM = `
  with void_links as (delete from auth.one_time_tokens where user_id = $1)
  update auth.users set
    email_confirmed_at = coalesce(email_confirmed_at, $2),
    raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified":true}',
    confirmation_token = '', recovery_token = '', ${NO_EMAIL_CHANGE}
  where id = $1`

/**
 * Changes an account, and tells its owner by email what of it gives access. As when users set a password themselves, a new one ends
 * sessions. Throws `email_exists`, `validation_failed` if there would be too much metadata, and `not_admin` for a new address of an account
 * with two-factor sign-in. supabase/auth internal/api/admin.go adminUserUpdate.
 */
export async function updateAccount(
  services: AdminServices,
  by: Actor,
  { id, email, confirmsEmail, passwordHash, userMetadata, appMetadata, ban }: AccountChanges & { id: string },
): Promise<Account> {
  const now = services.clock.now()
  const { before, after } = await administer(
    services,
    { id, action: 'change', by },
    async (transaction, account) => {
      const newAddress = email === account.email ? null : email
      if (newAddress !== null) refuseWithSecondFactor(account)
      checkUserMetadata(userMetadata, account.raw_user_meta_data ?? {})
      checkUserMetadata(appMetadata, account.raw_app_meta_data ?? {})
      await storeUpdate(transaction, {
        account,
        sessionId: null,
        passwordHash,
        update: { metadata: userMetadata, cancelsEmailChange: false },
        network: null,
        now,
      })
      if (confirmsEmail)
        await transaction.query({ name: 'auth:confirm-user', text: CONFIRM, values: [id, now] })
      if (newAddress !== null)
        await changeEmailAtOnce(transaction, { account, email: newAddress, confirmsEmail, now })
      await setAppMetadata(transaction, id, appMetadata)
      if (ban !== null) await setBan(transaction, id, ban.until)
      return { before: account, after: (await findAccount(transaction, id)) ?? account }
    },
  )
  if (passwordHash !== null)
    await tellOwner(services, { account: before, template: passwordChangedEmail, path: '/?mode=reset' })
  if (after.email !== before.email)
    await tellOwner(services, { account: before, template: addressChangedEmail, path: '/settings' })
  return after
}

const DELETE = 'delete from auth.users where id = $1'

/** Deletes an account with everything in it. */
export async function deleteAccount(services: AdminServices, by: Actor, id: string): Promise<void> {
  await administer(services, { id, action: 'delete', by }, async (transaction) => {
    await transaction.query({ name: 'auth:delete-user', text: DELETE, values: [id] })
  })
}

/** Deletes the account of somebody who has not accepted the invitation. Throws if that was accepted, or there is none. */
export async function withdrawInvitation(services: AdminServices, by: Actor, id: string): Promise<void> {
  await administer(services, { id, action: 'withdraw', by }, async (transaction, account) => {
    const { invited_at: invitedAt, email_confirmed_at: confirmedAt, last_sign_in_at: usedAt } = account
    if (invitedAt === null || confirmedAt !== null || usedAt !== null)
      throw new ApiError(404, 'user_not_found', 'There is no open invitation')
    await transaction.query({ name: 'auth:delete-user', text: DELETE, values: [id] })
  })
}

/**
 * Blocks an account until it is unblocked: nobody signs in to it, and its sessions, which stay, are refused at once, also for data
 * (`intercede.require_active_session`).
 */
export async function setBlocked(
  services: AdminServices,
  by: Actor,
  { id, isBlocked }: { id: string; isBlocked: boolean },
): Promise<void> {
  const action = isBlocked ? 'block' : 'unblock'
  await administer(services, { id, action, by }, (transaction) =>
    setBan(transaction, id, isBlocked ? 'infinity' : null),
  )
}

const END_SESSIONS = 'delete from auth.sessions where user_id = $1'

/** Ends all sessions of an account. */
export async function signOutEverywhere(services: AdminServices, by: Actor, id: string): Promise<void> {
  await administer(services, { id, action: 'sign-out', by }, async (transaction) => {
    await transaction.query({ name: 'auth:end-sessions', text: END_SESSIONS, values: [id] })
  })
}

const REMOVE_FACTORS = 'delete from auth.mfa_factors where user_id = $1'

/**
 * Turns two-factor sign-in off, for somebody who has lost app and recovery codes, and tells the owner. A trigger removes the codes.
 * Resolves to whether the owner could be told.
 */
export async function removeTwoFactor(
  services: AdminServices,
  by: Actor,
  id: string,
): Promise<{ isTold: boolean }> {
  const account = await administer(
    services,
    { id, action: 'remove-two-factor', by },
    async (transaction, before) => {
      await transaction.query({ name: 'auth:remove-factors', text: REMOVE_FACTORS, values: [id] })
      return before
    },
  )
  if (!hasSecondFactor(account)) return { isTold: false }
  return {
    isTold: await tellOwner(services, { account, template: twoFactorRemovedEmail, path: '/settings' }),
  }
}

const REMOVE_UNVERIFIED_FACTOR = `delete from auth.mfa_factors where id = $1 and status = 'unverified'`

/** Removes an app that has not given a code yet. */
export async function removeUnverifiedFactor(
  services: AdminServices,
  by: Actor,
  { id, factorId }: { id: string; factorId: string },
): Promise<void> {
  await administer(services, { id, action: 'change', by }, async (transaction) => {
    await transaction.query({
      name: 'auth:remove-unverified-factor',
      text: REMOVE_UNVERIFIED_FACTOR,
      values: [factorId],
    })
  })
}
