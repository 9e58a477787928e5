import { ApiError } from '../../errors/api-error.ts'
import type { AuthenticationMethod } from '../../jwt/access-token.ts'
import type { Services } from '../../services.ts'
import { ACCOUNT, type Account } from '../accounts/account.ts'
import type { StoredSession } from './access-token.ts'
import type { ClientDetails } from './client-details.ts'
import { createRefreshToken } from './refresh-token.ts'

/** Seconds in which a token that was just exchanged may be used again (Supabase's default). */
export const REUSE_INTERVAL = 10

/** Texts of supabase/auth internal/tokens/service.go RefreshTokenGrant, by its codes; all are 400. */
const REFUSALS = {
  refresh_token_not_found: 'Invalid Refresh Token: Refresh Token Not Found',
  refresh_token_already_used: 'Invalid Refresh Token: Already Used',
  session_not_found: 'Invalid Refresh Token: No Valid Session Found',
  session_expired: 'Invalid Refresh Token: Session Expired',
  user_banned: 'Invalid Refresh Token: User Banned',
}

const ROTATE = `
  select rotated.outcome, rotated.issued, rotated.session, ${ACCOUNT}, (
    select jsonb_agg(
      jsonb_build_object('method', c.authentication_method, 'timestamp', extract(epoch from c.updated_at)::bigint)
      order by c.updated_at desc
    )
    from auth.mfa_amr_claims c where c.session_id = rotated.session
  ) as methods
  from intercede.rotate_refresh_token($1, $2, $3, make_interval(secs => $4), $5, $6) rotated
  left join auth.users u on u.id = rotated.account`

type RotationRow =
  | { outcome: keyof typeof REFUSALS }
  | {
      outcome: 'issued'
      issued: string
      session: string
      account: Account
      methods: AuthenticationMethod[] | null
    }

type RotationServices = Pick<Services, 'pool' | 'clock'>

/**
 * Exchanges a refresh token: one round trip to the database, whose function `intercede.rotate_refresh_token` decides.
 * Throws the refusals of the real service. When the session stays locked by others for 5 s it rejects as a database
 * that is too slow, which is 503: after the real service's 409, auth-js would take the session for lost.
 */
export async function rotateRefreshToken(
  { pool, clock }: RotationServices,
  presented: string,
  client: ClientDetails,
): Promise<StoredSession> {
  const values = [presented, createRefreshToken(), clock.now(), REUSE_INTERVAL, client.userAgent, client.ip]
  const { rows } = await pool.query<RotationRow>({ name: 'auth:rotate', text: ROTATE, values })
  const [row] = rows
  if (row?.outcome !== 'issued') {
    const code = row?.outcome ?? 'refresh_token_not_found'
    throw new ApiError(400, code, REFUSALS[code])
  }
  return { id: row.session, account: row.account, refreshToken: row.issued, methods: row.methods ?? [] }
}
