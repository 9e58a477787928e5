import type { QueryConfig, QueryResult, QueryResultRow } from 'pg'

/** A JSON object as it is stored. */
export type Metadata = Readonly<Record<string, unknown>>

/** A row of auth.identities as PostgreSQL's `to_jsonb` renders it: times are ISO text in UTC. */
export interface Identity {
  id: string
  provider_id: string
  user_id: string
  identity_data: Metadata
  provider: string
  last_sign_in_at: string | null
  created_at: string | null
  updated_at: string | null
  email: string | null
}

/** A row of auth.mfa_factors as PostgreSQL's `to_jsonb` renders it, without its secret. */
export interface Factor {
  id: string
  factor_type: string
  status: 'unverified' | 'verified'
  friendly_name: string | null
  phone: string | null
  created_at: string
  updated_at: string
  last_challenged_at: string | null
}

/** A row of auth.users as PostgreSQL's `to_jsonb` renders it, with its identities and factors. */
export interface Account {
  id: string
  aud: string | null
  role: string | null
  email: string | null
  encrypted_password: string | null
  email_confirmed_at: string | null
  invited_at: string | null
  confirmation_sent_at: string | null
  confirmed_at: string | null
  recovery_sent_at: string | null
  email_change: string | null
  email_change_sent_at: string | null
  last_sign_in_at: string | null
  raw_app_meta_data: Metadata | null
  raw_user_meta_data: Metadata | null
  created_at: string | null
  updated_at: string | null
  phone: string | null
  phone_confirmed_at: string | null
  phone_change: string | null
  phone_change_sent_at: string | null
  reauthentication_sent_at: string | null
  banned_until: string | null
  deleted_at: string | null
  is_anonymous: boolean
  identities: readonly Identity[]
  factors: readonly Factor[]
}

/** Select list of a query over `auth.users u` that returns an `Account` in the column `account`. */
export const ACCOUNT = `to_jsonb(u) || jsonb_build_object('identities', coalesce((
  select jsonb_agg(to_jsonb(i) order by i.created_at, i.id) from auth.identities i where i.user_id = u.id
), '[]'::jsonb), 'factors', coalesce((
  select jsonb_agg(to_jsonb(f) - 'secret' order by f.created_at, f.id) from auth.mfa_factors f where f.user_id = u.id
), '[]'::jsonb)) as account`

/** Something that runs statements: the pool, or a connection inside a transaction. */
export interface Queryable {
  query<Row extends QueryResultRow>(statement: QueryConfig<unknown[]>): Promise<QueryResult<Row>>
}

/** Runs a statement whose select list is `ACCOUNT`. Resolves to the account of the first row, or null if there is none. */
export async function queryAccount(
  database: Queryable,
  statement: QueryConfig<unknown[]>,
): Promise<Account | null> {
  const { rows } = await database.query<{ account: Account }>(statement)
  return rows[0]?.account ?? null
}

const BY_EMAIL = `select ${ACCOUNT} from auth.users u where u.email = $1 and not u.is_sso_user`

/** Whatever changes an account locks it first, until the end of the transaction. */
const LOCK = 'select from auth.users where id = $1 for no key update'
const READ = `select ${ACCOUNT} from auth.users u where u.id = $1`

/** Locks an account, and resolves to it as it is then; null if it has been deleted. */
export async function lockAccount(transaction: Queryable, id: string): Promise<Account | null> {
  await transaction.query({ name: 'auth:lock-account', text: LOCK, values: [id] })
  return findAccount(transaction, id)
}

/** The account with an id, or null. */
export async function findAccount(database: Queryable, id: string): Promise<Account | null> {
  return queryAccount(database, { name: 'auth:account', text: READ, values: [id] })
}

/** The account with an email address (in lower case, as it is stored), or null. */
export async function findAccountByEmail(database: Queryable, email: string): Promise<Account | null> {
  return queryAccount(database, { name: 'auth:account-by-email', text: BY_EMAIL, values: [email] })
}

/** The hash of the account's password; null if it has none. Supabase stores an empty one then. */
export function passwordHashOf(account: Account | null): string | null {
  const hash = account?.encrypted_password ?? ''
  return hash === '' ? null : hash
}

/** Whether an emailed link or a provider has proven that the address belongs to the account's user. */
export function isAddressProven(account: Account): boolean {
  return account.identities.some(
    ({ identity_data: data, email }) => data['email_verified'] === true && email === account.email,
  )
}

/** For the `set` of an update of `auth.users` that cancels a pending change of the email address; its links have to be deleted too. */
export const NO_EMAIL_CHANGE =
  "email_change = '', email_change_sent_at = null, email_change_confirm_status = 0"

/** Whether the account is locked at this moment. PostgreSQL's `infinity` is not a date in JavaScript. */
export function isBanned({ banned_until: until }: Account, now: Date): boolean {
  return until === 'infinity' || (until !== null && Date.parse(until) > now.getTime())
}
