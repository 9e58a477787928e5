import { CompactSign } from 'jose'
import type { TokenKeys } from './token-keys.ts'

/** `aal2` if a second factor was given in the session. */
export type AssuranceLevel = 'aal1' | 'aal2'

/** How and when the user signed in to a session. */
export interface AuthenticationMethod {
  method: string
  /** Seconds since 1970. */
  timestamp: number
}

/**
 * The claims of an access token, with the names and in the order of the wire.
 * Source: supabase/auth internal/tokens/service.go AccessTokenClaims.
 */
export interface AccessClaims {
  iss: string
  sub: string
  aud: string
  /** Seconds since 1970, like `iat`. */
  exp: number
  iat: number
  email: string
  phone: string
  app_metadata: Readonly<Record<string, unknown>>
  user_metadata: Readonly<Record<string, unknown>>
  role: string
  aal: AssuranceLevel
  amr: readonly AuthenticationMethod[]
  session_id: string
  is_anonymous: boolean
}

/** Signs the claims as given, without reordering them. Resolves to a compact JWT. */
export async function signAccessToken(keys: TokenKeys, claims: AccessClaims): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(keys.secret)
}
