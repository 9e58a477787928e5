import { randomUUID } from 'node:crypto'
import { ACCOUNT, NO_EMAIL_CHANGE, type Account, type Metadata, type Queryable } from './account.ts'
import type { ProviderName } from './oauth-state.ts'

/** An identity that X vouches for. */
export interface XIdentity {
  provider: ProviderName
  /** The user's id at X. */
  providerId: string
  data: Metadata
  now: Date
}

/** Both provider names mean the same users. */
const FIND = `
  select ${ACCOUNT}, identity.id as identity_id
  from auth.identities identity join auth.users u on u.id = identity.user_id
  where identity.provider_id = $1 and identity.provider in ('twitter', 'x')
  order by identity.created_at limit 1`

/** The account that a user of X signed in to before, with its X identity, or null. */
export async function findAccountByXId(
  database: Queryable,
  providerId: string,
): Promise<{ account: Account; identityId: string } | null> {
  const { rows } = await database.query<{ account: Account; identity_id: string }>({
    name: 'auth:account-by-identity',
    text: FIND,
    values: [providerId],
  })
  const [row] = rows
  return row === undefined ? null : { account: row.account, identityId: row.identity_id }
}

const CREATE_ACCOUNT = `
  insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token, recovery_token,
    email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at
  ) values (
    '00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, '', $4, '', '',
    '', '', '{}', $3, $4, $4
  )`

/** Creates an account without a password. Its email address is confirmed, because X has confirmed it. */
export async function createXAccount(
  transaction: Queryable,
  email: string,
  identity: XIdentity,
): Promise<string> {
  const id = randomUUID()
  const values = [id, email, JSON.stringify(identity.data), identity.now]
  await transaction.query({ name: 'auth:create-x-account', text: CREATE_ACCOUNT, values })
  await addIdentity(transaction, id, identity)
  return id
}

const ADD = `
  insert into auth.identities (
    id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
  ) values (gen_random_uuid(), $2, $1, $4, $3, $5, $5, $5)`

/** Adds an identity to an account. */
export async function addIdentity(
  transaction: Queryable,
  accountId: string,
  { provider, providerId, data, now }: XIdentity,
): Promise<void> {
  const values = [accountId, providerId, provider, JSON.stringify(data), now]
  await transaction.query({ name: 'auth:add-identity', text: ADD, values })
  await updateAccountMetadata(transaction, accountId, data, now)
}

const REFRESH = `
  update auth.identities i set identity_data = $2, last_sign_in_at = $3, updated_at = $3
  from auth.identities former join auth.users u on u.id = former.user_id
  where i.id = $1 and former.id = i.id
  returning u.raw_user_meta_data ->> 'full_name' is not null
    and u.raw_user_meta_data ->> 'full_name' is distinct from former.identity_data ->> 'full_name' as has_own_name`

/**
 * Stores X's current description of a user who has signed in before. A name that the user has set stays; GoTrue overwrites it.
 */
export async function refreshIdentity(
  transaction: Queryable,
  given: { identityId: string; accountId: string; data: Metadata; now: Date },
): Promise<void> {
  const { identityId, accountId, data, now } = given
  const values = [identityId, JSON.stringify(data), now]
  const { rows } = await transaction.query<{ has_own_name: boolean }>({
    name: 'auth:refresh-identity',
    text: REFRESH,
    values,
  })
  const { full_name: _, ...others } = data
  await updateAccountMetadata(transaction, accountId, rows[0]?.has_own_name === true ? others : data, now)
}

/** Merges X's description into the user's metadata, and lists providers in the order in which they were added. */
const UPDATE_METADATA = `
  update auth.users u set
    raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || $2::jsonb,
    raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || (
      select jsonb_build_object('provider', (array_agg(i.provider order by i.first_at))[1],
        'providers', jsonb_agg(i.provider order by i.first_at))
      from (
        select provider, min(created_at) as first_at from auth.identities where user_id = u.id group by provider
      ) i
    ),
    updated_at = $3
  where u.id = $1`

async function updateAccountMetadata(
  transaction: Queryable,
  accountId: string,
  data: Metadata,
  now: Date,
): Promise<void> {
  const values = [accountId, JSON.stringify(data), now]
  await transaction.query({ name: 'auth:update-metadata', text: UPDATE_METADATA, values })
}

const REVOKE_TOKENS = `
  with account as (
    update auth.users set ${NO_EMAIL_CHANGE} where id = $1 returning id
  ), void_links as (
    delete from auth.one_time_tokens where user_id in (select id from account)
  )
  delete from auth.sessions where user_id in (select id from account)`

/** Ends the sessions of an account, voids the links that were emailed to it, and cancels a change of its email address. */
export async function revokeTokens(transaction: Queryable, accountId: string): Promise<void> {
  await transaction.query({ name: 'auth:revoke-tokens', text: REVOKE_TOKENS, values: [accountId] })
}

const REMOVE_PASSWORD = `
  with unknown_networks as (
    delete from intercede.known_networks where user_id = $1
  ), factors as (
    delete from auth.mfa_factors where user_id = $1
  )
  update auth.users set encrypted_password = '', email_confirmed_at = coalesce(email_confirmed_at, $2),
    confirmation_token = '', recovery_token = ''
  where id = $1`
/** The metadata of an account that was never confirmed may have been entered by someone else. */
const REMOVE_UNCONFIRMED_DATA = `
  with without_metadata as (
    update auth.users set raw_user_meta_data = '{}' where id = $1
  )
  delete from auth.identities where user_id = $1`

/**
 * Removes what someone other than the owner of an account's email address may have set up, besides tokens: the password,
 * authenticator apps that have given no code yet, and the networks it has signed in from. An account that was never confirmed
 * also loses its metadata and identities (supabase/auth internal/models/user.go RemoveUnconfirmedIdentities).
 */
export async function removeUnprovenData(transaction: Queryable, account: Account, now: Date): Promise<void> {
  await transaction.query({ name: 'auth:remove-password', text: REMOVE_PASSWORD, values: [account.id, now] })
  if (account.email_confirmed_at !== null) return
  await transaction.query({
    name: 'auth:remove-unconfirmed-data',
    text: REMOVE_UNCONFIRMED_DATA,
    values: [account.id],
  })
}
