import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import type { AssuranceLevel } from '../jwt/access-token.ts'
import {
  AUTH_TIME_POLICY,
  sessionClaim,
  TokenError,
  type TokenErrorReason,
  verifyAccessToken,
  type VerifiedToken,
} from '../jwt/verify-access-token.ts'
import type { Clock, Services } from '../services.ts'
import { ACCOUNT, isBanned, type Account, type Queryable } from './account.ts'
import { Uuid } from './request-body.ts'

/** The caller, as the database has them at this moment. */
export interface Bearer {
  account: Account
  /** Null for a token without a session. */
  sessionId: string | null
  /**
   * The lower one of the token's and the session's. A token from before the second factor was given may have been stolen before, and
   * a session loses it with the app that gave it.
   */
  aal: AssuranceLevel
}

/** Whom a verified token names, and the level that it claims. */
type Claimed = Pick<Bearer, 'sessionId' | 'aal'> & { accountId: string }

const BEARER = /^[Bb]earer (\S+)$/

const LOOK_UP = `
  select ${ACCOUNT}, exists (
    select from auth.refresh_tokens t where t.session_id = $2 and t.user_id = u.id::text and not t.revoked
  ) as has_session, exists (
    select from auth.sessions s where s.id = $2 and s.user_id = u.id and s.aal = 'aal2'
  ) as is_raised
  from auth.users u where u.id = $1`

/** The error messages of golang-jwt, which clients see after a fixed prefix. */
const REASONS: Record<Exclude<TokenErrorReason, 'audience'>, string> = {
  malformed: 'token is malformed: token contains an invalid number of segments',
  algorithm: 'token signature is invalid: signing method is not accepted',
  signature: 'token signature is invalid: signature is invalid',
  expired: 'token has invalid claims: token is expired',
  'not-yet-valid': 'token has invalid claims: token is not valid yet',
  'issued-in-future': 'token has invalid claims: token used before issued',
}

/**
 * Authenticates the caller by the request's access token, with one round trip to the database.
 * Throws the errors of supabase/auth internal/api/auth.go.
 */
export async function requireBearer(request: FastifyRequest, services: Services): Promise<Bearer> {
  const { claims } = await verifyBearerToken(services, bearerToken(request))
  return readBearer(services.pool, services.clock, parseClaims(claims))
}

/** Throws `no_authorization` if the request has no token. */
export function bearerToken(request: FastifyRequest): string {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  if (token !== undefined) return token
  throw new ApiError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
}

/** The caller as the database has them now. Throws as `requireBearer`. */
export async function readBearer(
  database: Queryable,
  clock: Clock,
  { accountId, sessionId, aal }: Claimed,
): Promise<Bearer> {
  const { rows } = await database.query<{ account: Account; has_session: boolean; is_raised: boolean }>({
    name: 'auth:bearer',
    text: LOOK_UP,
    values: [accountId, sessionId],
  })
  const [row] = rows
  if (row === undefined) {
    throw new ApiError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
  }
  if (sessionId !== null && !row.has_session) {
    throw new ApiError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
  }
  if (isBanned(row.account, clock.now())) {
    throw new ApiError(403, 'user_banned', 'User is banned')
  }
  return { account: row.account, sessionId, aal: row.is_raised ? aal : 'aal1' }
}

/** Throws `bad_jwt` for a token that was not signed here, or is not valid now. */
export async function verifyBearerToken(
  services: Pick<Services, 'keys' | 'clock'>,
  token: string,
): Promise<VerifiedToken> {
  try {
    return await verifyAccessToken(services.keys, services.clock, token, AUTH_TIME_POLICY)
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    throw tokenError(error.reason)
  }
}

function tokenError(reason: TokenErrorReason): ApiError {
  return reason === 'audience'
    ? validationFailed("Token audience doesn't match request audience")
    : badJwt(403, `invalid JWT: unable to parse or verify signature, ${REASONS[reason]}`)
}

function parseClaims(claims: VerifiedToken['claims']): Claimed {
  const { sub, aal: level } = claims
  if (sub === undefined || sub === '') throw badJwt(403, 'invalid claim: missing sub claim')
  if (!v.is(Uuid, sub)) throw badJwt(400, 'invalid claim: sub claim must be a UUID')
  const sessionId = sessionClaim(claims)
  const aal = level === 'aal2' ? level : 'aal1'
  if (sessionId === null) return { accountId: sub, sessionId, aal }
  if (!v.is(Uuid, sessionId)) throw badJwt(403, 'invalid claim: session_id claim must be a UUID')
  return { accountId: sub, sessionId, aal }
}

function badJwt(status: number, message: string): ApiError {
  return new ApiError(status, 'bad_jwt', message)
}
