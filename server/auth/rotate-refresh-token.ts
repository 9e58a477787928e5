import { ApiError, validationFailed } from '../errors/api-error.ts'
import type { AssuranceLevel, AuthenticationMethod } from '../jwt/access-token.ts'
import type { Services } from '../services.ts'
import { ACCOUNT, type Account } from './account.ts'
import type { ClientDetails } from './client-details.ts'
import { createRefreshToken, methodsOf, type StoredSession } from './sessions.ts'

/** How many seconds an exchanged refresh token may still be used again (Supabase's default). */
export const REUSE_INTERVAL = 10

/** New refresh tokens of a session per minute; `RATE_LIMIT_FACTOR` can only raise it. The app needs one an hour. */
const EXCHANGES_PER_MINUTE = 10

/** The formats of both generations of refresh tokens in supabase/auth internal/api/token_refresh.go. Ours look like the second. */
const REFRESH_TOKEN = /^(?:[a-z0-9]{12}|[A-Za-z0-9_-]{51,})$/

/** Messages of supabase/auth internal/tokens/service.go RefreshTokenGrant, by code; the status is always 400. */
const ROTATION_ERRORS = {
  refresh_token_not_found: 'Invalid Refresh Token: Refresh Token Not Found',
  refresh_token_already_used: 'Invalid Refresh Token: Already Used',
  session_not_found: 'Invalid Refresh Token: No Valid Session Found',
  session_expired: 'Invalid Refresh Token: Session Expired',
  user_banned: 'Invalid Refresh Token: User Banned',
}

const ROTATE = `
  select case
    when rotated.outcome = 'refresh_token_not_found' and intercede.is_of_ended_session($1) then 'session_not_found'
    else rotated.outcome
  end as outcome, rotated.issued, rotated.session, ${ACCOUNT}, coalesce(
    (select s.aal from auth.sessions s where s.id = rotated.session), 'aal1'
  ) as aal, ${methodsOf('rotated.session')}
  from intercede.rotate_refresh_token($1, $2, $3, make_interval(secs => $4), $5, $6, $7) rotated
  left join auth.users u on u.id = rotated.account`

type RotationRow =
  | { outcome: keyof typeof ROTATION_ERRORS | 'over_request_rate_limit' }
  | {
      outcome: 'issued'
      issued: string
      session: string
      account: Account
      aal: AssuranceLevel
      methods: AuthenticationMethod[] | null
    }

/**
 * Exchanges a refresh token in one round trip; the database function `intercede.rotate_refresh_token` makes the
 * decision. Throws the errors of GoTrue, except that the token of a session that was ended on purpose gets
 * `session_not_found` (decision 42), and where its client libraries would consider the session lost (409, 429): when
 * other requests keep the session locked for 5 s, it rejects with the database's lock timeout, which becomes 503, and
 * a session that is refreshed too often gets 503 as well.
 */
export async function rotateRefreshToken(
  { pool, clock, config }: Pick<Services, 'pool' | 'clock' | 'config'>,
  presented: string,
  client: ClientDetails,
): Promise<StoredSession> {
  if (!REFRESH_TOKEN.test(presented)) {
    throw validationFailed('Refresh token is not valid')
  }
  const limit = Math.round(EXCHANGES_PER_MINUTE * Math.max(1, config.rateLimitFactor))
  const { rows } = await pool.query<RotationRow>({
    name: 'auth:rotate',
    text: ROTATE,
    values: [
      presented,
      createRefreshToken(presented),
      clock.now(),
      REUSE_INTERVAL,
      client.userAgent,
      client.ip,
      limit,
    ],
  })
  const [row] = rows
  if (row?.outcome === 'over_request_rate_limit') {
    throw new ApiError(503, row.outcome, 'Request rate limit reached', { headers: { 'retry-after': '60' } })
  }
  if (row?.outcome !== 'issued') {
    const code = row?.outcome ?? 'refresh_token_not_found'
    throw new ApiError(400, code, ROTATION_ERRORS[code])
  }
  const { session: id, account, issued: refreshToken, aal } = row
  return { id, account, refreshToken, aal, methods: row.methods ?? [] }
}
