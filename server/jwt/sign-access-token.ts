import { CompactSign } from 'jose'
import type { AccessClaims } from './access-claims.ts'
import { signingKey } from './signing-key.ts'
import type { TokenKeys } from './token-keys.ts'

const HEADER = { alg: 'HS256', typ: 'JWT' }
const encoder = new TextEncoder()

/** Signs the claims as they are, in their order. Resolves to the compact token. */
export async function signAccessToken(keys: TokenKeys, claims: AccessClaims): Promise<string> {
  return new CompactSign(encoder.encode(JSON.stringify(claims)))
    .setProtectedHeader(HEADER)
    .sign(await signingKey(keys))
}
