import { createHash, randomBytes } from 'node:crypto'
import { ACCOUNT, type Account, type Database } from '../accounts/account.ts'

/** Seconds that a mailed link works. */
export const LINK_LIFETIME = 3600

/** What a link is for, in the words of the protocol. */
export type LinkType = 'signup' | 'recovery'

const STORED_TYPE = { signup: 'confirmation_token', recovery: 'recovery_token' } as const

/** A token just made: the link carries `token`; nothing that is stored leads back to it. */
export interface OneTimeToken {
  token: string
  stored: string
}

/** A new token for an address. 56 hexadecimal digits, as in the links of the real service. */
export function createOneTimeToken(email: string): OneTimeToken {
  const token = tokenOf(email, randomBytes(20).toString('hex'))
  return { token, stored: storedForm(token) }
}

/** The token that an address and a code stand for. supabase/auth internal/crypto/crypto.go GenerateTokenHash. */
export function tokenOf(email: string, code: string): string {
  return createHash('sha224')
    .update(email + code)
    .digest('hex')
}

/** What is kept of a token: whoever reads the database can't make a link of it. */
function storedForm(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

const TAKE = `
  with taken as (
    delete from auth.one_time_tokens where token_hash = $1 and token_type = $2
    returning user_id, created_at + make_interval(secs => $3) > $4::timestamptz at time zone 'UTC' as is_valid
  )
  select ${ACCOUNT} from taken join auth.users u on u.id = taken.user_id where taken.is_valid`

/**
 * Uses a token up, inside the caller's transaction. Resolves to its account, or to null when there is no such token
 * or its hour is over.
 */
export async function takeOneTimeToken(
  transaction: Database,
  given: { type: LinkType; token: string; now: Date },
): Promise<Account | null> {
  const { rows } = await transaction.query<{ account: Account }>({
    name: 'auth:take-one-time-token',
    text: TAKE,
    values: [storedForm(given.token), STORED_TYPE[given.type], LINK_LIFETIME, given.now],
  })
  return rows[0]?.account ?? null
}

const STORE_TOKEN = `
  insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
  values (gen_random_uuid(), $1, $2, $3, $4, $5::timestamptz at time zone 'UTC', $5::timestamptz at time zone 'UTC')
  on conflict (user_id, token_type) do update set
    token_hash = excluded.token_hash, relates_to = excluded.relates_to,
    created_at = excluded.created_at, updated_at = excluded.updated_at`

/** Keeps a token for an account; the one of the same type that it had before is void. */
export async function storeOneTimeToken(
  database: Database,
  given: { accountId: string; email: string; type: LinkType; stored: string; now: Date },
): Promise<void> {
  await database.query({
    name: 'auth:store-one-time-token',
    text: STORE_TOKEN,
    values: [given.accountId, STORED_TYPE[given.type], given.stored, given.email, given.now],
  })
}
