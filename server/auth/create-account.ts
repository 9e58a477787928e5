import { randomUUID } from 'node:crypto'
import { ACCOUNT, findAccount, queryAccount, type Account, type Metadata, type Queryable } from './account.ts'

export interface NewAccount {
  /** A random one unless given. */
  id?: string
  /** In lower case. */
  email: string
  /** Empty for an account without a password. */
  passwordHash: string
  /** User metadata given with the sign-up. */
  metadata: Metadata
  /** Whether the email address counts as confirmed at once. */
  confirmed: boolean
  now: Date
}

/** Text columns that Supabase fills with '' are filled likewise, so that rows can move there unchanged. */
const CREATE_USER = `
  insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token, confirmation_sent_at,
    recovery_token, email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at
  ) values (
    '00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3, $4, '', $7,
    '', '', '', '{"provider":"email","providers":["email"]}', $5, $6, $6
  )
  on conflict do nothing`
const CREATE_IDENTITY = `
  insert into auth.identities (
    id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
  ) values (gen_random_uuid(), $1::text, $1::uuid, $2, 'email', $3, $3, $3)`

const LOCK_UNCONFIRMED = `
  select u.id, u.encrypted_password from auth.users u
  where u.email = $1 and not u.is_sso_user and u.email_confirmed_at is null
  for no key update`
const CLAIM = `
  with account as (
    update auth.users set
      encrypted_password = $2, email_confirmed_at = $3, confirmation_sent_at = $6, raw_user_meta_data = $4, updated_at = $5
    where id = $1
    returning *
  ), void_links as (
    delete from auth.one_time_tokens where user_id = $1 and $3::timestamptz is not null
  )
  select ${ACCOUNT} from account u`
const CLAIM_IDENTITY = `
  update auth.identities set identity_data = $2, updated_at = $3 where user_id = $1 and provider = 'email'`

/**
 * Stores an account with its email identity, inside the caller's transaction.
 *
 * An account with this address that was never confirmed is taken over. If this sign-up confirms it, password and metadata
 * are replaced, and links emailed before become invalid. Otherwise no one knows yet who owns the address: unless the hash
 * is the stored one, the account ends up with neither password nor metadata, and its owner sets a password after opening
 * any of the links.
 *
 * Null when a confirmed account has the address; nothing is stored then.
 */
export async function createOrClaimAccount(
  transaction: Queryable,
  given: NewAccount,
): Promise<Account | null> {
  return (await insertAccount(transaction, given)) ?? (await claimUnconfirmedAccount(transaction, given))
}

/** Stores an account with its email identity, inside the caller's transaction. Null when another one has the address or the id. */
export async function insertAccount(transaction: Queryable, given: NewAccount): Promise<Account | null> {
  const { id = randomUUID(), email, passwordHash, now } = given
  const { rowCount } = await transaction.query({
    name: 'auth:create-user',
    text: CREATE_USER,
    values: [
      id,
      email,
      passwordHash,
      confirmedAt(given),
      JSON.stringify(userMetadata(id, given)),
      now,
      confirmationSentAt(given),
    ],
  })
  if (rowCount === 0) return null
  await transaction.query({
    name: 'auth:create-email-identity',
    text: CREATE_IDENTITY,
    values: [id, JSON.stringify(identityData(id, given)), now],
  })
  return findAccount(transaction, id)
}

async function claimUnconfirmedAccount(transaction: Queryable, given: NewAccount): Promise<Account | null> {
  const { rows } = await transaction.query<{ id: string; encrypted_password: string | null }>({
    name: 'auth:lock-unconfirmed',
    text: LOCK_UNCONFIRMED,
    values: [given.email],
  })
  const [row] = rows
  if (row === undefined) return null
  const { confirmed, passwordHash } = given
  const isContested = !confirmed && (passwordHash === '' || passwordHash !== row.encrypted_password)
  return updateUnconfirmedAccount(
    transaction,
    row.id,
    isContested ? { ...given, passwordHash: '', metadata: {} } : given,
  )
}

async function updateUnconfirmedAccount(
  transaction: Queryable,
  id: string,
  given: NewAccount,
): Promise<Account | null> {
  const { passwordHash, now } = given
  await transaction.query({
    name: 'auth:claim-identity',
    text: CLAIM_IDENTITY,
    values: [id, JSON.stringify(identityData(id, given)), now],
  })
  return queryAccount(transaction, {
    name: 'auth:claim',
    text: CLAIM,
    values: [
      id,
      passwordHash,
      confirmedAt(given),
      JSON.stringify(userMetadata(id, given)),
      now,
      confirmationSentAt(given),
    ],
  })
}

function confirmedAt({ confirmed, now }: NewAccount): Date | null {
  return confirmed ? now : null
}

/** Stored with the password that it says something about (verify.ts), before the email is sent. */
function confirmationSentAt({ confirmed, now }: NewAccount): Date | null {
  return confirmed ? null : now
}

/** What the user sent never overrides what the server knows (supabase/auth internal/api/signup.go). */
function identityData(id: string, { metadata, email }: NewAccount): Metadata {
  return { ...metadata, email, email_verified: false, phone_verified: false, sub: id }
}

/** A confirmation shows in the user's metadata, not in the identity's (internal/models/user.go Confirm). */
function userMetadata(id: string, given: NewAccount): Metadata {
  const data = identityData(id, given)
  return given.confirmed ? { ...data, email_verified: true } : data
}
