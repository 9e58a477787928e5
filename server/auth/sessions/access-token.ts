import type { AuthenticationMethod } from '../../jwt/access-token.ts'
import { signAccessToken } from '../../jwt/access-token.ts'
import type { Services } from '../../services.ts'
import type { Account } from '../accounts/account.ts'
import { externalUrl } from '../external-url.ts'
import type { Session } from './session-json.ts'

/** A session as the database knows it. */
export interface StoredSession {
  id: string
  account: Account
  refreshToken: string
  /** Newest first. */
  methods: readonly AuthenticationMethod[]
}

/** Signs the access token of a session, from now on for the configured time. */
export async function issueAccessToken(services: Services, stored: StoredSession): Promise<Session> {
  const { config, keys, clock } = services
  const { account } = stored
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  const expiresAt = issuedAt + config.jwtExpiry
  const accessToken = await signAccessToken(keys, {
    iss: externalUrl(config),
    sub: account.id,
    aud: account.aud ?? '',
    exp: expiresAt,
    iat: issuedAt,
    email: account.email ?? '',
    phone: account.phone ?? '',
    app_metadata: account.raw_app_meta_data ?? {},
    user_metadata: account.raw_user_meta_data ?? {},
    role: account.role ?? '',
    aal: 'aal1',
    amr: stored.methods,
    session_id: stored.id,
    is_anonymous: account.is_anonymous,
  })
  return {
    id: stored.id,
    account,
    accessToken,
    refreshToken: stored.refreshToken,
    expiresIn: config.jwtExpiry,
    expiresAt,
  }
}
