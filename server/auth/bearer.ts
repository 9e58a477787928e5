import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError } from '../errors/api-error.ts'
import type { AssuranceLevel } from '../jwt/access-token.ts'
import {
  AUTH_TIME_POLICY,
  sessionClaim,
  TokenError,
  type TokenErrorReason,
  verifyAccessToken,
  type VerifiedToken,
} from '../jwt/verify-access-token.ts'
import type { Services } from '../services.ts'
import { ACCOUNT, isBanned, type Account } from './account.ts'
import { Uuid } from './request-body.ts'

/** The caller, as the database has them at this moment. */
export interface Bearer {
  account: Account
  /** Null for a token without a session. */
  sessionId: string | null
  /** That of the session: the token may be from before a second factor was given, or removed. */
  aal: AssuranceLevel
}

const BEARER = /^[Bb]earer (\S+)$/

const LOOK_UP = `
  select ${ACCOUNT}, exists (
    select from auth.refresh_tokens t where t.session_id = $2 and t.user_id = u.id::text and not t.revoked
  ) as has_session, coalesce(
    (select s.aal from auth.sessions s where s.id = $2 and s.user_id = u.id), 'aal1'
  ) as aal
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
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) {
    throw new ApiError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
  }
  const { claims } = await verify(services, token)
  const { accountId, sessionId } = parseIds(claims)
  const { rows } = await services.pool.query<{ account: Account; has_session: boolean; aal: AssuranceLevel }>(
    {
      name: 'auth:bearer',
      text: LOOK_UP,
      values: [accountId, sessionId],
    },
  )
  const [row] = rows
  if (row === undefined) {
    throw new ApiError(403, 'user_not_found', 'User from sub claim in JWT does not exist')
  }
  if (sessionId !== null && !row.has_session) {
    throw new ApiError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
  }
  if (isBanned(row.account, services.clock.now())) {
    throw new ApiError(403, 'user_banned', 'User is banned')
  }
  return { account: row.account, sessionId, aal: row.aal }
}

async function verify(services: Services, token: string): Promise<VerifiedToken> {
  try {
    return await verifyAccessToken(services.keys, services.clock, token, AUTH_TIME_POLICY)
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    throw tokenError(error.reason)
  }
}

function tokenError(reason: TokenErrorReason): ApiError {
  return reason === 'audience'
    ? new ApiError(400, 'validation_failed', "Token audience doesn't match request audience")
    : badJwt(403, `invalid JWT: unable to parse or verify signature, ${REASONS[reason]}`)
}

function parseIds(claims: VerifiedToken['claims']): { accountId: string; sessionId: string | null } {
  const { sub } = claims
  if (sub === undefined || sub === '') throw badJwt(403, 'invalid claim: missing sub claim')
  if (!v.is(Uuid, sub)) throw badJwt(400, 'invalid claim: sub claim must be a UUID')
  const sessionId = sessionClaim(claims)
  if (sessionId === null) return { accountId: sub, sessionId }
  if (!v.is(Uuid, sessionId)) throw badJwt(403, 'invalid claim: session_id claim must be a UUID')
  return { accountId: sub, sessionId }
}

function badJwt(status: number, message: string): ApiError {
  return new ApiError(status, 'bad_jwt', message)
}
