import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import type { Pool } from 'pg'
import * as v from 'valibot'
import webPush from 'web-push'
import type { Config } from '../config.ts'

/** Signs and verifies the tokens of this installation. Shared by all servers on one database. */
export interface TokenKeys {
  /** HS256 secret. */
  secret: Uint8Array
  /** The API's public key, sent as `apikey`: a JWT of role `anon`, or `sb_publishable_…`, which is not a JWT. */
  anonKey: string
  /** Identify this installation to push services (RFC 8292). A browser's subscription is valid for one public key. */
  vapid: VapidKeys
}

const VapidKeys = v.object({ publicKey: v.string(), privateKey: v.string() })
/** P-256, as base64url. */
type VapidKeys = v.InferOutput<typeof VapidKeys>

const SECRET_BYTES = 48
const TEN_YEARS_IN_SECONDS = 10 * 365 * 86_400

/**
 * The configured keys. Those that are not configured are generated at the first start and stored in the database, so
 * that all servers on it accept each other's tokens. A newly generated anon key is issued at `now`.
 */
export async function loadTokenKeys(
  pool: Pool,
  config: Pick<Config, 'jwtSecret' | 'anonKey'>,
  now: Date,
): Promise<TokenKeys> {
  const secretText =
    config.jwtSecret ??
    (await loadOrStore(pool, 'jwt_secret', randomBytes(SECRET_BYTES).toString('base64url')))
  const secret = new TextEncoder().encode(secretText)
  const anonKey =
    config.anonKey ?? (await loadOrStore(pool, anonKeySetting(secretText), await signAnonKey(secret, now)))
  const vapid = await loadOrStore(pool, 'vapid_keys', JSON.stringify(webPush.generateVAPIDKeys()))
  return { secret, anonKey, vapid: v.parse(VapidKeys, JSON.parse(vapid)) }
}

/** A 256-bit key for a purpose other than tokens: the secret that signs those is used for nothing else. */
export function deriveKey({ secret }: TokenKeys, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}

/** Each secret has its own anon key, so that a changed secret never comes with a key signed by the old one. */
function anonKeySetting(secret: string): string {
  return `anon_key ${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`
}

function signAnonKey(secret: Uint8Array, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000)
  return new SignJWT({ role: 'anon' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer('supabase')
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TEN_YEARS_IN_SECONDS)
    .sign(secret)
}

/** Stores the value unless the setting exists already, and resolves to the stored one. */
async function loadOrStore(pool: Pool, name: string, value: string): Promise<string> {
  const { rows } = await pool.query<{ value: string }>({
    text: `insert into intercede.settings (name, value) values ($1, $2)
           on conflict (name) do update set name = excluded.name
           returning value`,
    values: [name, value],
  })
  const [stored] = rows
  if (stored === undefined) throw new Error(`The setting ${name} was not stored.`)
  return stored.value
}
