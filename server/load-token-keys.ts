import { createHash, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Pool } from 'pg'
import type { Config } from './config.ts'
import type { TokenKeys } from './jwt/token-keys.ts'

const SECRET_BYTES = 48
const TEN_YEARS = 10 * 365 * 86_400

/**
 * The keys of this installation: as configured, else made at the first start and kept in the database, so that all
 * servers on it sign and accept the same. `now` is the time at which a new key is issued.
 */
export async function loadTokenKeys(
  pool: Pool,
  config: Pick<Config, 'jwtSecret' | 'anonKey'>,
  now: Date,
): Promise<TokenKeys> {
  const secretText =
    config.jwtSecret ?? (await keep(pool, 'jwt_secret', randomBytes(SECRET_BYTES).toString('base64url')))
  const secret = new TextEncoder().encode(secretText)
  const anonKey =
    config.anonKey ?? (await keep(pool, anonKeyName(secretText), await signAnonKey(secret, now)))
  return { secret, anonKey }
}

/** A changed secret needs another key, and must not meet that of the old one. */
function anonKeyName(secret: string): string {
  return `anon_key ${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`
}

function signAnonKey(secret: Uint8Array, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({ role: 'anon' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('supabase')
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TEN_YEARS)
    .sign(secret)
}

/** Keeps the value unless another server was faster, and gives the one that is kept. */
async function keep(pool: Pool, name: string, value: string): Promise<string> {
  const { rows } = await pool.query<{ value: string }>({
    text: `insert into intercede.settings (name, value) values ($1, $2)
           on conflict (name) do update set name = excluded.name
           returning value`,
    values: [name, value],
  })
  const [kept] = rows
  if (kept === undefined) throw new Error(`The setting ${name} was not kept.`)
  return kept.value
}
