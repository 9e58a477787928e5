import { withTransaction } from '../db/transaction.ts'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import { checkUserMetadata } from './account-rules.ts'
import {
  ACCOUNT,
  findAccount,
  findAccountByEmail,
  lockAccount,
  NO_EMAIL_CHANGE,
  type Account,
  type Metadata,
  type Queryable,
} from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { createAccount, createOrClaimAccount } from './create-account.ts'
import { changeEmailAtOnce, emailExists, startEmailChange } from './email-change.ts'
import { addressChangedEmail, passwordChangedEmail, type LinkEmail } from './email-templates.ts'
import {
  createToken,
  INVITATION_LIFETIME,
  linkTo,
  makeLink,
  newCode,
  type MadeLink,
} from './one-time-links.ts'
import { hasSecondFactor } from './second-factor.ts'
import { removeServiceKey, storeNewServiceKey } from './service-key.ts'
import { twoFactorRemovedEmail } from './two-factor-emails.ts'
import { storeUpdate } from './user.ts'

/** What the functions here need; some of it only those that send emails. */
export type AdminServices = Pick<AuthServices, 'pool' | 'clock' | 'config' | 'mailer' | 'logger'>

/** By what whoever runs the server acts: `npm run accounts`, or a program that has the service key. */
export type Actor = 'command' | 'service key'

type Action =
  | 'create'
  | 'invite'
  | 'withdraw'
  | 'make-link'
  | 'reset-password'
  | 'change'
  | 'block'
  | 'unblock'
  | 'sign-out'
  | 'remove-two-factor'
  | 'delete'
  | 'make-key'
  | 'revoke-key'

interface Recorded {
  action: Action
  by: Actor
}

const RECORD = `
  insert into intercede.account_actions (happened_at, action, account_id, done_by) values ($1, $2, $3, $4)`

async function record(
  transaction: Queryable,
  { clock }: Pick<AdminServices, 'clock'>,
  { action, by, accountId }: Recorded & { accountId: string | null },
): Promise<void> {
  const values = [clock.now(), action, accountId, by]
  await transaction.query({ name: 'auth:record-action', text: RECORD, values })
}

/**
 * Runs a change of an account in a transaction, under the lock that all such changes take, and records it. Asks nobody whether it is
 * allowed: the caller has. Throws `user_not_found` if there is no such account.
 */
async function administer<Value>(
  services: Pick<AdminServices, 'pool' | 'clock'>,
  { id, ...recorded }: Recorded & { id: string },
  work: (transaction: Queryable, account: Account) => Promise<Value>,
): Promise<Value> {
  return withTransaction(services.pool, async (transaction) => {
    const account = await lockAccount(transaction, id)
    if (account === null) throw userNotFound()
    const value = await work(transaction, account)
    await record(transaction, services, { ...recorded, accountId: id })
    return value
  })
}

export function userNotFound(): ApiError {
  return new ApiError(404, 'user_not_found', 'User not found')
}

function noUserWithEmail(): ApiError {
  return new ApiError(404, 'user_not_found', 'User with this email not found')
}

/** What is done to such an account is told at its address. */
function refuseWithSecondFactor(account: Account): void {
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
export async function createUser(
  services: AdminServices,
  by: Actor,
  { id, email, passwordHash, confirmsEmail, userMetadata, appMetadata, bannedUntil }: AccountToCreate,
): Promise<Account> {
  const now = services.clock.now()
  return withTransaction(services.pool, async (transaction) => {
    const created = await createAccount(transaction, {
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

async function setUserMetadata(transaction: Queryable, id: string, metadata: Metadata): Promise<void> {
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
export async function updateUser(
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
  if (passwordHash !== null) await tellOwner(services, before, passwordChangedEmail, '/?mode=reset')
  if (after.email !== before.email) await tellOwner(services, before, addressChangedEmail, '/settings')
  return after
}

/** Emails what was done to the owner of an account. Resolves to whether that was possible: it is done in any case. */
async function tellOwner(
  { mailer, config, logger }: AdminServices,
  { email }: Account,
  template: LinkEmail,
  path: string,
): Promise<boolean> {
  if (email === null || email === '') return false
  try {
    await mailer.send(template({ to: email, product: config.productName, link: config.siteUrl + path }))
    return true
  } catch (err) {
    logger.error({ err }, 'a notice could not be sent')
    return false
  }
}

/** A link to be made for an account, which the first two kinds create if necessary. */
interface LinkToMake {
  type: 'signup' | 'invite' | 'recovery' | 'magiclink'
  /** In lower case. */
  email: string
  /** Only for a sign-up. */
  passwordHash: string
  userMetadata: Metadata
  redirectTo: string
}

/**
 * Makes a link that signs in, for somebody to pass on. It leads no further than signing in with a password would: with two-factor
 * sign-in, a code is asked for as well.
 * Throws `email_exists` if an account cannot be created because a confirmed one has the address, and `user_not_found`.
 * supabase/auth internal/api/invite.go, internal/api/mail.go adminGenerateLink.
 */
export async function makeSignInLink(
  services: AdminServices,
  { by, action }: Recorded,
  given: LinkToMake,
): Promise<MadeLink & { account: Account; type: LinkToMake['type'] }> {
  const { email, redirectTo } = given
  return withTransaction(services.pool, async (transaction) => {
    const found = await findAccountByEmail(transaction, email)
    // As in GoTrue.
    const type = found === null && given.type === 'magiclink' ? 'signup' : given.type
    const isNew = type === 'signup' || type === 'invite'
    const owner = isNew
      ? await createUnconfirmed(services, transaction, given)
      : found && (await lockAccount(transaction, found.id))
    if (owner?.email !== email) throw noUserWithEmail()
    const made = await makeLink(services, transaction, { account: owner, type, redirectTo })
    await record(transaction, services, { action, by, accountId: owner.id })
    return { ...made, type, account: (await findAccount(transaction, owner.id)) ?? owner }
  })
}

/** A link to be made that changes an address. */
interface EmailChangeToMake {
  type: 'email_change_current' | 'email_change_new'
  /** The present address, in lower case, and the new one. */
  email: string
  newEmail: string
  redirectTo: string
}

const VOID_LINKS = 'delete from auth.one_time_tokens where user_id = $1 and token_type = $2'

/**
 * Makes one of the two links that change an address, in place of the one before. Throws `user_not_found`, `email_exists` if another account has the new address, and
 * `validation_failed` where the present address is not asked.
 */
export async function makeEmailChangeLink(
  services: AuthServices,
  { by, action }: Recorded,
  { type, email, newEmail, redirectTo }: EmailChangeToMake,
): Promise<MadeLink & { account: Account; type: string }> {
  const { pool, clock, config } = services
  if (type === 'email_change_current' && !config.secureEmailChange) {
    const message = 'Enable secure email change to generate link for current email'
    throw validationFailed(message)
  }
  const id = (await findAccountByEmail(pool, email))?.id
  if (id === undefined) throw noUserWithEmail()
  return administer(services, { id, by, action }, async (transaction, account) => {
    refuseWithSecondFactor(account)
    if ((await findAccountByEmail(transaction, newEmail)) !== null) throw emailExists()
    const [address, tokenType] =
      type === 'email_change_new'
        ? ([newEmail, 'email_change_token_new'] as const)
        : ([email, 'email_change_token_current'] as const)
    const voidLinks = async () => {
      const values = [id, tokenType]
      return (await transaction.query({ name: 'auth:void-change-links', text: VOID_LINKS, values })).rowCount
    }
    // Without such a link, that address has agreed already or another change is pending: both addresses are asked anew.
    const isPending = account.email_change === newEmail && (await voidLinks()) !== 0
    if (!isPending) {
      await startEmailChange(services, transaction, { account, email: newEmail })
      await voidLinks()
    }
    const code = newCode()
    const given = { accountId: id, email: address, type: tokenType, now: clock.now(), code }
    const token = await createToken(transaction, given)
    const link = linkTo(services, { token, type: 'email_change', redirectTo })
    return { link, token, code, type, account: (await findAccount(transaction, id)) ?? account }
  })
}

/** An account that waits for its link to be opened. A password that a stranger has signed up with before is removed. */
async function createUnconfirmed(
  { clock }: AdminServices,
  transaction: Queryable,
  { email, passwordHash, userMetadata }: LinkToMake,
): Promise<Account> {
  const now = clock.now()
  const given = { email, passwordHash, metadata: {}, confirmed: false, now }
  const account = await createOrClaimAccount(transaction, given)
  if (account === null) throw emailExists()
  await setUserMetadata(transaction, account.id, userMetadata)
  return account
}

const DELETE = 'delete from auth.users where id = $1'

/** Deletes an account with everything in it. */
export async function deleteUser(services: AdminServices, by: Actor, id: string): Promise<void> {
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
  return { isTold: await tellOwner(services, account, twoFactorRemovedEmail, '/settings') }
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

/** Makes a new service key, in place of the one there may be. */
export async function makeServiceKey(services: AdminServices, by: Actor): Promise<string> {
  return withTransaction(services.pool, async (transaction) => {
    await record(transaction, services, { action: 'make-key', by, accountId: null })
    return storeNewServiceKey(transaction)
  })
}

/** Resolves to whether there was a key. */
export async function revokeServiceKey(services: AdminServices, by: Actor): Promise<boolean> {
  return withTransaction(services.pool, async (transaction) => {
    const wasThere = await removeServiceKey(transaction)
    if (wasThere) await record(transaction, services, { action: 'revoke-key', by, accountId: null })
    return wasThere
  })
}

/** Something that was done. */
export interface RecordedAction {
  time: Date
  action: string
  /** Null for what concerns no account. */
  accountId: string | null
  /** Null if the account was deleted since. */
  address: string | null
  by: string
}

const READ_ACTIONS = `
  select a.happened_at as time, a.action, a.account_id as "accountId", u.email as address, a.done_by as by
  from intercede.account_actions a left join auth.users u on u.id = a.account_id
  order by a.id desc limit $1 offset $2`

/** A page of what was done, the newest first. */
export async function readActions(
  database: Queryable,
  { page, perPage }: { page: number; perPage: number },
): Promise<RecordedAction[]> {
  const { rows } = await database.query<RecordedAction>({
    name: 'auth:read-actions',
    text: READ_ACTIONS,
    values: [perPage, (page - 1) * perPage],
  })
  return rows
}
