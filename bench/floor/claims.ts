import { randomUUID } from 'node:crypto'
import type { AccessClaims } from '#server/jwt/access-token.ts'

const ONE_HOUR = 3600

/** What the server's own token says of a person, so that the database has as much to read. */
export function claimsOf(id: string): AccessClaims {
  const now = Math.floor(Date.now() / 1000)
  return {
    iss: 'http://localhost:3000/auth/v1',
    sub: id,
    aud: 'authenticated',
    exp: now + ONE_HOUR,
    iat: now,
    email: 'person1000@example.org',
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { email_verified: true },
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: now }],
    session_id: randomUUID(),
    is_anonymous: false,
  }
}
