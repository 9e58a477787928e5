import { randomUUID } from 'node:crypto'
import type { Account, Database, Metadata } from '../accounts/account.ts'
import type { XProviderName } from './sign-in-state.ts'

/** An identity that a provider vouches for. */
export interface ProviderIdentity {
  provider: XProviderName
  /** The person's id at the provider. */
  providerId: string
  data: Metadata
  now: Date
}

const CREATE = `
  insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token, recovery_token,
    email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at
  ) values (
    '00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, '', $4, '', '',
    '', '', '{}', $3, $4, $4
  )`
const ADD = `
  insert into auth.identities (
    id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
  ) values (gen_random_uuid(), $2, $1, $4, $3, $5, $5, $5)`
const REFRESH = `
  update auth.identities set identity_data = $2, last_sign_in_at = $3, updated_at = $3 where id = $1`
/** The person's own data takes on what the provider says; providers are listed in the order they were added. */
const FOLLOW = `
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
const CLOSE_DOORS = `
  with closed as (
    update auth.users set encrypted_password = '', email_confirmed_at = coalesce(email_confirmed_at, $2),
      confirmation_token = '', recovery_token = ''
    where id = $1
  ), void_links as (
    delete from auth.one_time_tokens where user_id = $1
  )
  delete from auth.sessions where user_id = $1`
/** What an account that was never confirmed says of its person was said by somebody else. */
const FORGET_UNCONFIRMED = `
  with forgotten as (
    update auth.users set raw_user_meta_data = '{}' where id = $1
  )
  delete from auth.identities where user_id = $1`

/** A new account without a password; its address is confirmed, because the provider says so. */
export async function createProviderAccount(
  transaction: Database,
  email: string,
  identity: ProviderIdentity,
): Promise<string> {
  const id = randomUUID()
  const values = [id, email, JSON.stringify(identity.data), identity.now]
  await transaction.query({ name: 'auth:create-provider-account', text: CREATE, values })
  await addIdentity(transaction, id, identity)
  return id
}

/** Joins an identity to an account. */
export async function addIdentity(
  transaction: Database,
  accountId: string,
  { provider, providerId, data, now }: ProviderIdentity,
): Promise<void> {
  const values = [accountId, providerId, provider, JSON.stringify(data), now]
  await transaction.query({ name: 'auth:add-identity', text: ADD, values })
  await follow(transaction, accountId, data, now)
}

/** Takes over what the provider says of a person it has named before. */
export async function refreshIdentity(
  transaction: Database,
  given: { identityId: string; accountId: string; data: Metadata; now: Date },
): Promise<void> {
  const { identityId, accountId, data, now } = given
  const values = [identityId, JSON.stringify(data), now]
  await transaction.query({ name: 'auth:refresh-identity', text: REFRESH, values })
  await follow(transaction, accountId, data, now)
}

async function follow(transaction: Database, accountId: string, data: Metadata, now: Date): Promise<void> {
  const values = [accountId, JSON.stringify(data), now]
  await transaction.query({ name: 'auth:follow-identity', text: FOLLOW, values })
}

/**
 * Ends every way into an account that its address's owner may not have opened: password, sessions, links. One that was
 * never confirmed also loses what it says of its person (internal/models/user.go RemoveUnconfirmedIdentities).
 */
export async function closeUnprovenDoors(
  transaction: Database,
  account: Account,
  { now }: ProviderIdentity,
): Promise<void> {
  await transaction.query({ name: 'auth:close-doors', text: CLOSE_DOORS, values: [account.id, now] })
  if (account.email_confirmed_at !== null) return
  await transaction.query({ name: 'auth:forget-unconfirmed', text: FORGET_UNCONFIRMED, values: [account.id] })
}
