import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fieldsOf } from '#shared/fields.ts'
import { ApiError } from '../errors/api-error.ts'
import type { AuthServices } from './auth-services.ts'
import { describeError, withErrorEverywhere, withErrorQuery } from './links/error-redirect.ts'
import { keepPicture } from './pictures/keep-picture.ts'
import { sessionRedirect } from './links/session-redirect.ts'
import { clientDetails } from './sessions/client-details.ts'
import type { Session } from './sessions/session-json.ts'
import { signInWithProfile } from './x/sign-in-with-profile.ts'
import { takeState, type SignInState } from './x/sign-in-state.ts'
import type { ProviderTokens, XClient } from './x/x-client.ts'
import type { XProfile } from './x/x-profile.ts'

/** Refusals whose person can do something about them; redirectErrors in external.go calls them all access_denied. */
const PERSONAL_REFUSALS: ReadonlySet<string> = new Set(['signup_disabled', 'user_banned'])

/**
 * GET and POST /callback: a person comes back from the provider. supabase/auth internal/api/external.go
 * ExternalProviderCallback. Whatever happens, the browser ends up in the web app.
 */
export function registerCallback(app: FastifyInstance, services: AuthServices): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/callback',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const answer = readAnswer(request)
      const state = await takeState(services, answer.get('state') ?? '').catch(asRefusal)
      if (state instanceof ApiError) {
        return reply.redirect(withErrorQuery(`${services.config.siteUrl}/`, describeError(state)), 303)
      }
      return finish(request, reply, services, { answer, state })
    },
  })
}

interface Return {
  /** What the provider says. */
  answer: URLSearchParams
  state: SignInState
}

async function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  services: AuthServices,
  returned: Return,
): Promise<FastifyReply> {
  const { target } = returned.state
  const refusal = providerRefusal(returned.answer)
  if (refusal !== null) return reply.redirect(withErrorEverywhere(target, refusal), 302)
  try {
    const { session, tokens } = await signIn(request, services, returned)
    const further = {
      provider_token: tokens.accessToken,
      ...(tokens.refreshToken === null ? {} : { provider_refresh_token: tokens.refreshToken }),
    }
    return await reply.redirect(sessionRedirect(target, session, further), 302)
  } catch (error) {
    const failure = error instanceof ApiError ? error : unexpected(error)
    if (failure.status >= 500) {
      request.log.error({ err: failure.cause ?? failure }, failure.message)
    }
    return reply.redirect(withErrorEverywhere(target, describeFailure(failure)), 302)
  }
}

function readAnswer(request: FastifyRequest): URLSearchParams {
  const fields = request.method === 'POST' ? request.body : request.query
  const answer = new URLSearchParams()
  for (const [name, value] of Object.entries(fieldsOf(fields))) {
    // A parameter given twice means nothing good; the first one is taken, as Go does.
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first === 'string') answer.set(name, first)
  }
  return answer
}

/** What the provider, or the person there, refused. X gives no description. */
function providerRefusal(answer: URLSearchParams): Record<string, string> | null {
  const error = answer.get('error') ?? ''
  if (error === '') return null
  const description = answer.get('error_description') ?? ''
  const standIn = error === 'access_denied' ? 'Signing in was cancelled' : error
  return { error, error_description: description === '' ? standIn : description }
}

async function signIn(
  request: FastifyRequest,
  services: AuthServices,
  { answer, state }: Return,
): Promise<{ session: Session; tokens: ProviderTokens }> {
  if (services.x === null) {
    throw new ApiError(400, 'validation_failed', 'Unsupported provider: provider is not enabled')
  }
  const { tokens, profile } = await askProvider(services.x, answer, state.verifier)
  const session = await signInWithProfile(services, {
    provider: state.provider,
    profile,
    client: clientDetails(request),
  })
  await keepPicture(services, { accountId: session.account.id, profile })
  return { session, tokens }
}

async function askProvider(
  x: XClient,
  answer: URLSearchParams,
  verifier: string,
): Promise<{ tokens: ProviderTokens; profile: XProfile }> {
  const code = answer.get('code') ?? ''
  if (code === '') {
    throw new ApiError(400, 'bad_oauth_callback', 'OAuth callback with missing authorization code missing')
  }
  const tokens = await x.exchangeCode(answer, verifier).catch((cause: unknown) => {
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

function unexpected(cause: unknown): ApiError {
  return serverError('Unexpected failure, please check server logs for more information', cause)
}

function asRefusal(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

function describeFailure(failure: ApiError): Readonly<Record<string, string>> {
  const described = describeError(failure)
  return PERSONAL_REFUSALS.has(failure.code) ? { ...described, error: 'access_denied' } : described
}
