/** Why a token was refused. Each surface translates it into its own code and text. */
export type TokenRefusal =
  'malformed' | 'algorithm' | 'signature' | 'expired' | 'not-yet-valid' | 'issued-in-future' | 'audience'

/** A token that proves nothing. Says nothing of the token itself, so it is safe to log. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly reason: TokenRefusal

  constructor(reason: TokenRefusal, options?: ErrorOptions) {
    super(`token refused: ${reason}`, options)
    this.reason = reason
  }
}
