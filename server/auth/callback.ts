import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import type { AuthServices } from './auth-services.ts'
import { storeAvatar } from './avatars.ts'
import { takeState, type OAuthState } from './oauth-state.ts'
import {
  errorParameters,
  withErrorQuery,
  withErrorQueryAndFragment,
  withSession,
  type ErrorParameters,
} from './redirect-urls.ts'
import { textFields } from './request-body.ts'
import { clientDetails } from './client-details.ts'
import type { Session } from './sessions.ts'
import type { XProfile } from './x-profile.ts'
import type { ProviderTokens, XProvider } from './x-provider.ts'
import { signInWithProfile } from './x-sign-in.ts'

/** Errors that the user can do something about; redirectErrors in external.go reports them all as access_denied. */
const USER_ERRORS: ReadonlySet<string> = new Set(['signup_disabled', 'user_banned'])

/**
 * GET and POST /callback: the provider sends the browser back. supabase/auth internal/api/external.go
 * ExternalProviderCallback. Whatever happens, the browser is redirected to the web app.
 */
export function registerCallback(app: FastifyInstance, services: AuthServices): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/callback',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const parameters = textFields(request.method === 'POST' ? request.body : request.query)
      try {
        const state = await takeState(services, parameters.get('state') ?? '')
        return await completeSignIn(request, reply, services, { parameters, state })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        return reply.redirect(withErrorQuery(`${services.config.siteUrl}/`, errorParameters(error)), 303)
      }
    },
  })
}

interface Callback {
  /** What the provider sent. */
  parameters: URLSearchParams
  state: OAuthState
}

async function completeSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  services: AuthServices,
  callback: Callback,
): Promise<FastifyReply> {
  const { target } = callback.state
  const rejection = providerError(callback.parameters)
  if (rejection !== null) return reply.redirect(withErrorQueryAndFragment(target, rejection), 302)
  try {
    const { session, tokens } = await signIn(request, services, callback)
    const url = withSession(target, session, {
      provider_token: tokens.accessToken,
      ...(tokens.refreshToken === null ? {} : { provider_refresh_token: tokens.refreshToken }),
    })
    return await reply.redirect(url, 302)
  } catch (thrown) {
    const error = thrown instanceof ApiError ? thrown : unexpectedError(thrown)
    if (error.status >= 500) {
      request.log.error({ err: error.cause ?? error }, error.message)
    }
    return reply.redirect(withErrorQueryAndFragment(target, signInErrorParameters(error)), 302)
  }
}

/** The error that the provider reported, or null. X sends no description. */
function providerError(parameters: URLSearchParams): ErrorParameters | null {
  const error = parameters.get('error') ?? ''
  if (error === '') return null
  const description = parameters.get('error_description') ?? ''
  const fallback = error === 'access_denied' ? 'Signing in was cancelled' : error
  return { error, error_description: description === '' ? fallback : description }
}

function signInErrorParameters(error: ApiError): ErrorParameters {
  const parameters = errorParameters(error)
  return USER_ERRORS.has(error.code) ? { ...parameters, error: 'access_denied' } : parameters
}

async function signIn(
  request: FastifyRequest,
  services: AuthServices,
  { parameters, state }: Callback,
): Promise<{ session: Session; tokens: ProviderTokens }> {
  if (services.x === null) {
    throw validationFailed('Unsupported provider: provider is not enabled')
  }
  const { tokens, profile } = await requestProfile(services.x, parameters, state.verifier)
  const session = await signInWithProfile(services, {
    provider: state.provider,
    profile,
    client: clientDetails(request),
  })
  await storeAvatar(services, { accountId: session.account.id, profile })
  return { session, tokens }
}

async function requestProfile(
  x: XProvider,
  parameters: URLSearchParams,
  verifier: string,
): Promise<{ tokens: ProviderTokens; profile: XProfile }> {
  const code = parameters.get('code') ?? ''
  if (code === '') {
    throw new ApiError(400, 'bad_oauth_callback', 'OAuth callback with missing authorization code missing')
  }
  const tokens = await x.exchangeCode(parameters, verifier).catch((cause: unknown) => {
    throw serverError(`Unable to exchange external code: ${code.slice(0, 4)}`, cause)
  })
  const profile = await x.fetchProfile(tokens).catch((cause: unknown) => {
    throw serverError('Error getting user profile from external provider', cause)
  })
  return { tokens, profile }
}

function serverError(message: string, cause: unknown): ApiError {
  return new ApiError(500, 'unexpected_failure', message, { cause })
}

function unexpectedError(cause: unknown): ApiError {
  return serverError('Unexpected failure, please check server logs for more information', cause)
}
