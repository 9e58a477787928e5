import type { AccessClaims } from '#server/jwt/access-token.ts'
import { signAccessToken } from '#server/jwt/access-token.ts'
import type { Services } from '#server/services.ts'

/** A token as this server signs it, with the usual claims unless others are given, and without a session. Valid for an hour. */
export async function accessTokenFor(
  { keys, clock }: Pick<Services, 'keys' | 'clock'>,
  userId: string,
  claims: Partial<AccessClaims> = {},
): Promise<string> {
  const now = Math.floor(clock.now().getTime() / 1000)
  return await signAccessToken(keys, {
    iss: 'http://localhost:3000/auth/v1',
    sub: userId,
    aud: 'authenticated',
    exp: now + 3600,
    iat: now,
    email: '',
    phone: '',
    app_metadata: {},
    user_metadata: {},
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: now }],
    session_id: '',
    is_anonymous: false,
    ...claims,
  })
}
