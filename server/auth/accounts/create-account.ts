import { randomUUID } from 'node:crypto'
import { ACCOUNT, type Account, type Database, type Metadata } from './account.ts'

export interface NewAccount {
  email: string
  passwordHash: string
  /** What the person gave besides; part of their own metadata. */
  data: Metadata
  /** Whether the address counts as confirmed at once. */
  confirmed: boolean
  now: Date
}

/** Texts that Supabase fills with '' are filled likewise, so that rows can move there as they are. */
const CREATE_USER = `
  insert into auth.users (
    instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, confirmation_token, recovery_token,
    email_change_token_new, email_change, raw_app_meta_data, raw_user_meta_data, created_at, updated_at
  ) values (
    '00000000-0000-0000-0000-000000000000', $1, 'authenticated', 'authenticated', $2, $3, $4, '', '',
    '', '', '{"provider":"email","providers":["email"]}', $5, $6, $6
  )
  on conflict (email) where not is_sso_user do nothing`
const CREATE_IDENTITY = `
  insert into auth.identities (
    id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
  ) values (gen_random_uuid(), $1::text, $1::uuid, $2, 'email', $3, $3, $3)`
const READ = `select ${ACCOUNT} from auth.users u where u.id = $1`

/**
 * Stores an account with its e-mail identity, inside the caller's transaction.
 * Null when the address has an account already; nothing is stored then.
 */
export async function createAccount(transaction: Database, given: NewAccount): Promise<Account | null> {
  const id = randomUUID()
  const identityData = emailIdentityData(id, given)
  const { rowCount } = await transaction.query({
    name: 'auth:create-user',
    text: CREATE_USER,
    values: [
      id,
      given.email,
      given.passwordHash,
      given.confirmed ? given.now : null,
      JSON.stringify(userData(identityData, given)),
      given.now,
    ],
  })
  if (rowCount === 0) return null
  await transaction.query({
    name: 'auth:create-email-identity',
    text: CREATE_IDENTITY,
    values: [id, JSON.stringify(identityData), given.now],
  })
  const { rows } = await transaction.query<{ account: Account }>({
    name: 'auth:account',
    text: READ,
    values: [id],
  })
  return rows[0]?.account ?? null
}

/** What an e-mail identity says. The person's own data never overrides what the server knows (signup.go). */
export function emailIdentityData(id: string, { data, email }: NewAccount): Metadata {
  return { ...data, email, email_verified: false, phone_verified: false, sub: id }
}

/** Confirming shows in the person's data, not in the identity's (internal/models/user.go Confirm). */
export function userData(identityData: Metadata, { confirmed }: NewAccount): Metadata {
  return confirmed ? { ...identityData, email_verified: true } : identityData
}
