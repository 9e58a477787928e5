import { DatabaseError } from 'pg'
import { ApiError } from '../../errors/api-error.ts'
import type { AuthenticationMethod } from '../../jwt/access-claims.ts'
import type { Services } from '../../services.ts'
import { ACCOUNT, type Account } from '../accounts/account.ts'
import type { StoredSession } from './access-token.ts'
import type { ClientDetails } from './client-details.ts'
import { createRefreshToken } from './refresh-token.ts'

/** Seconds in which a token that was just exchanged may be used again (Supabase's default). */
export const REUSE_INTERVAL = 10
const LOCK_NOT_AVAILABLE = '55P03'

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
 * Throws the refusals of the real service; 409 when the session stays locked by others for 5 s.
 */
export async function rotateRefreshToken(
  services: RotationServices,
  presented: string,
  client: ClientDetails,
): Promise<StoredSession> {
  const row = await rotate(services, presented, client)
  if (row?.outcome !== 'issued') {
    const code = row?.outcome ?? 'refresh_token_not_found'
    throw new ApiError(400, code, REFUSALS[code])
  }
  return { id: row.session, account: row.account, refreshToken: row.issued, methods: row.methods ?? [] }
}

async function rotate(services: RotationServices, presented: string, client: ClientDetails) {
  const { pool, clock } = services
  const values = [presented, createRefreshToken(), clock.now(), REUSE_INTERVAL, client.userAgent, client.ip]
  try {
    const { rows } = await pool.query<RotationRow>({ name: 'auth:rotate', text: ROTATE, values })
    return rows[0]
  } catch (error) {
    if (error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE) throw conflict(error)
    throw error
  }
}

function conflict(cause: unknown): ApiError {
  const message = 'Too many concurrent token refresh requests on the same session or refresh token'
  return new ApiError(409, 'conflict', message, { cause })
}
