import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import type { AuthServices } from './auth-services.ts'
import { readFields, readText } from './request-body.ts'
import { issueAccessToken } from './sessions/access-token.ts'
import { clientDetails } from './sessions/client-details.ts'
import { looksLikeRefreshToken } from './sessions/refresh-token.ts'
import { rotateRefreshToken } from './sessions/rotate-refresh-token.ts'
import { announceSession, renderSession, type SessionJson } from './sessions/session-json.ts'

/** The refresh grant: a new pair of tokens for a refresh token. supabase/auth internal/api/token_refresh.go. */
export async function refreshGrant(
  request: FastifyRequest,
  reply: FastifyReply,
  services: AuthServices,
): Promise<SessionJson> {
  const presented = readText(readFields(request), 'refresh_token')
  if (!looksLikeRefreshToken(presented)) {
    throw new ApiError(400, 'validation_failed', 'Refresh token is not valid')
  }
  const stored = await rotateRefreshToken(services, presented, clientDetails(request))
  const session = await issueAccessToken(services, stored)
  announceSession(reply, session)
  return renderSession(session)
}
