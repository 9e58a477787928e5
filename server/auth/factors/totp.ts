import { compactDecrypt, CompactEncrypt, errors } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { deriveKey, type TokenKeys } from '../../jwt/token-keys.ts'

/** What GoTrue uses and every authenticator app understands (internal/api/mfa.go); periods are in seconds. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 }
/** The length that RFC 4226 recommends. */
const SECRET_BYTES = 20
/** How many time steps the clock of a phone may be wrong. */
const DRIFT = 1

/** A new secret, in base32, and the URI by which an app adds it. */
export function createSecret(issuer: string, label: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...PARAMETERS, issuer, label, secret: new Secret({ size: SECRET_BYTES }) })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The time step that a code is for, or null if it is wrong. */
export function timeStepOf(code: string, secret: string, now: Date): number | null {
  const timestamp = now.getTime()
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp, window: DRIFT })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

function keyFrom(keys: TokenKeys): Uint8Array {
  return deriveKey(keys, 'intercede totp secrets')
}

/** The form in which a secret is stored: a JWE. */
export async function encryptSecret(keys: TokenKeys, secret: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(secret))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyFrom(keys))
}

/** Not a JWE: factors that come from a Supabase project have it. */
const PLAIN_SECRET = /^[A-Z2-7]+$/

/** The secret, or null if it was encrypted with another key: `JWT_SECRET` has changed since. */
export async function decryptSecret(keys: TokenKeys, stored: string): Promise<string | null> {
  if (PLAIN_SECRET.test(stored)) return stored
  try {
    const { plaintext } = await compactDecrypt(stored, keyFrom(keys))
    return new TextDecoder().decode(plaintext)
  } catch (error) {
    if (error instanceof errors.JWEDecryptionFailed) return null
    throw error
  }
}
