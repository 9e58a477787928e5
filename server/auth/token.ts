import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import type { AuthServices } from './auth-services.ts'
import { passwordGrant } from './password-grant.ts'
import { refreshGrant } from './refresh-grant.ts'

/** POST /token?grant_type=password|refresh_token. supabase/auth internal/api/token.go. */
export function registerToken(app: FastifyInstance, services: AuthServices): void {
  app.post<{ Querystring: { grant_type?: string | string[] } }>('/token', async (request, reply) => {
    const grant = request.query.grant_type
    if (grant === 'password') {
      await services.limits.countRequest(request, 'token')
      return passwordGrant(request, reply, services)
    }
    if (grant === 'refresh_token') return refreshGrant(request, reply, services)
    throw new ApiError(400, 'invalid_credentials', 'unsupported_grant_type')
  })
}
