import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import type { AuthServices } from './auth-services.ts'
import { redirectTarget } from './links/redirect-target.ts'
import { keepState, type XProviderName } from './x/sign-in-state.ts'

/**
 * GET /authorize?provider=&redirect_to=&scopes=: sends a person to the provider. supabase/auth
 * internal/api/external.go ExternalProviderRedirect. Refusals are JSON, as there; the web app asks only when the
 * provider is enabled.
 */
export function registerAuthorize(app: FastifyInstance, services: AuthServices): void {
  app.route<{ Querystring: { provider?: unknown; scopes?: unknown } }>({
    method: 'GET',
    url: '/authorize',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const provider = readProvider(request.query.provider)
      if (services.x === null) throw unsupported('provider is not enabled')
      await services.limits.countRequest(request, 'authorize')
      const target = redirectTarget(request, services.config)
      const { scopes } = request.query
      const kept = await keepState(services, { provider, target })
      const asked = { ...kept, scopes: typeof scopes === 'string' ? scopes : '' }
      return reply.redirect(await services.x.authorizationUrl(asked), 302)
    },
  })
}

function readProvider(given: unknown): XProviderName {
  const name = typeof given === 'string' ? given.toLowerCase() : ''
  if (name === 'twitter' || name === 'x') return name
  throw unsupported(`Provider ${name} could not be found`)
}

function unsupported(reason: string): ApiError {
  return new ApiError(400, 'validation_failed', `Unsupported provider: ${reason}`)
}
