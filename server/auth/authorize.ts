import type { FastifyInstance } from 'fastify'
import { type ApiError, validationFailed } from '../errors/api-error.ts'
import type { AuthServices } from './auth-services.ts'
import { createState, type ProviderName } from './oauth-state.ts'
import { redirectTarget } from './redirect-targets.ts'

/**
 * GET /authorize?provider=&redirect_to=: sends the browser to the provider. supabase/auth internal/api/external.go
 * ExternalProviderRedirect. Errors are JSON, as there; the web app calls it only when the provider is enabled. `scopes` is
 * ignored: whoever wrote the link could make the user grant more than this server needs.
 */
export function registerAuthorize(app: FastifyInstance, services: AuthServices): void {
  app.route<{ Querystring: { provider?: unknown } }>({
    method: 'GET',
    url: '/authorize',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const provider = parseProvider(request.query.provider)
      if (services.x === null) throw unsupported('provider is not enabled')
      await services.limits.countRequest(request, 'authorize')
      const target = redirectTarget(request, services.config)
      const { state, verifier } = await createState(services, { provider, target })
      // With a fragment of its own: browsers would take along that of an emailed link which led here, with the user's tokens.
      return reply.redirect(`${await services.x.authorizationUrl({ state, verifier })}#`, 302)
    },
  })
}

function parseProvider(given: unknown): ProviderName {
  const name = typeof given === 'string' ? given.toLowerCase() : ''
  if (name === 'twitter' || name === 'x') return name
  throw unsupported(`Provider ${name} could not be found`)
}

function unsupported(reason: string): ApiError {
  return validationFailed(`Unsupported provider: ${reason}`)
}
