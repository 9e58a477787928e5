import { createHmac, timingSafeEqual } from 'node:crypto'
import { fieldsOf } from '#shared/fields.ts'
import { ConfigError } from './config-error.ts'
import { read, readInteger, readText, type Environment } from './environment.ts'

/** HS256 wants a key no shorter than its hash (RFC 7518, section 3.2). */
const SECRET_LEAST_BYTES = 32
/** The client library renews a token that has less than 90 s left; shorter ones would be renewed at every call. */
const EXPIRY_LEAST = 120
const EXPIRY_MOST = 604_800
const EXPIRY_DEFAULT = 3600

export interface TokenSettings {
  jwtSecret: string | null
  anonKey: string | null
  jwtExpiry: number
}

/** Throws a `ConfigError` for a secret that is too short, and for a key that was not made with it. */
export function readTokenSettings(env: Environment): TokenSettings {
  const jwtSecret = read(
    env,
    'JWT_SECRET',
    `at least ${String(SECRET_LEAST_BYTES)} bytes long`,
    (text) => (Buffer.byteLength(text) >= SECRET_LEAST_BYTES ? text : null),
    { secret: true },
  )
  return {
    jwtSecret,
    anonKey: readAnonKey(env, jwtSecret),
    jwtExpiry: readInteger(env, 'JWT_EXPIRY', EXPIRY_LEAST, EXPIRY_MOST) ?? EXPIRY_DEFAULT,
  }
}

/** The newer kind of public key, which is no token: the callers who send it are anonymous because it is the key. */
const PUBLISHABLE_KEY = /^sb_publishable_[\w-]{16,}$/

function readAnonKey(env: Environment, secret: string | null): string | null {
  const key = readText(env, 'ANON_KEY')
  if (key === null || PUBLISHABLE_KEY.test(key)) return key
  if (secret === null)
    throw new ConfigError('ANON_KEY is set without JWT_SECRET, by which it is signed: set both, or neither.')
  if (isAnonKeyOf(key, secret)) return key
  throw new ConfigError(
    'ANON_KEY is (hidden), and must be a token of role "anon" signed with JWT_SECRET (HS256), or begin with sb_publishable_ and have 16 characters of your own or more behind it.',
  )
}

function isAnonKeyOf(key: string, secret: string): boolean {
  const [header, payload, signature, ...rest] = key.split('.')
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    return false
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest()
  const given = Buffer.from(signature, 'base64url')
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    memberOf(header, 'alg') === 'HS256' &&
    memberOf(payload, 'role') === 'anon'
  )
}

function memberOf(part: string, name: string): unknown {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return fieldsOf(parsed)[name]
  } catch {
    return undefined
  }
}
