import type { CryptoKey } from 'jose'
import type { TokenKeys } from './token-keys.ts'

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
const imported = new WeakMap<TokenKeys, Promise<CryptoKey>>()

/** The secret in the form that the cryptography of the platform takes; imported once, because that is slow. */
export function signingKey(keys: TokenKeys): Promise<CryptoKey> {
  const known = imported.get(keys)
  if (known !== undefined) return known
  const key = crypto.subtle.importKey('raw', new Uint8Array(keys.secret), ALGORITHM, false, [
    'sign',
    'verify',
  ])
  imported.set(keys, key)
  return key
}
