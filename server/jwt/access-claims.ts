/** How a session was begun, as its tokens tell it. */
export interface AuthenticationMethod {
  method: string
  /** Seconds since 1970. */
  timestamp: number
}

/**
 * What an access token says of its bearer.
 * supabase/auth internal/tokens/service.go AccessTokenClaims; names and order are those of the wire.
 */
export interface AccessClaims {
  iss: string
  sub: string
  aud: string
  /** Seconds since 1970, as `iat`. */
  exp: number
  iat: number
  email: string
  phone: string
  app_metadata: Readonly<Record<string, unknown>>
  user_metadata: Readonly<Record<string, unknown>>
  role: string
  aal: string
  amr: readonly AuthenticationMethod[]
  session_id: string
  is_anonymous: boolean
}
