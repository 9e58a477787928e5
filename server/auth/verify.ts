import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fieldsOf } from '#shared/fields.ts'
import { ApiError } from '../errors/api-error.ts'
import { readEmailAddress } from './accounts/email-address.ts'
import type { AuthServices } from './auth-services.ts'
import { describeError, withErrorFragment } from './links/error-redirect.ts'
import { tokenOf, type LinkType } from './links/one-time-token.ts'
import { redirectTarget } from './links/redirect-target.ts'
import { sessionRedirect } from './links/session-redirect.ts'
import { openSessionByLink } from './links/use-link.ts'
import { readFields, readText, type Fields } from './request-body.ts'
import { clientDetails } from './sessions/client-details.ts'
import { announceSession, renderSession } from './sessions/session-json.ts'

const LINK_REFUSED = 'Email link is invalid or has expired'
const CODE_REFUSED = 'Token has expired or is invalid'
/** Headers of browsers and scanners that fetch a page before anybody has asked for it. */
const PREFETCH_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** GET and POST /verify: what a mailed link leads to. supabase/auth internal/api/verify.go. */
export function registerVerify(app: FastifyInstance, services: AuthServices): void {
  app.route({
    method: 'GET',
    url: '/verify',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      // Looking ahead must not use the link up; a refusal makes browsers ask again when the link is really opened.
      if (isPrefetch(request)) return reply.code(503).send()
      await services.limits.countRequest(request, 'verify')
      return reply.redirect(await openLink(request, services), 303)
    },
  })
  app.head('/verify', async (_request, reply) => reply.code(200).send())
  app.post('/verify', async (request, reply) => {
    await services.limits.countRequest(request, 'verify')
    const { type, token, refusal } = readVerification(readFields(request))
    const session = await openSessionByLink(
      services,
      { type, token, client: clientDetails(request) },
      refusal,
    )
    announceSession(reply, session)
    return renderSession(session)
  })
}

function isPrefetch(request: FastifyRequest): boolean {
  return PREFETCH_HEADERS.some((name) =>
    /prefetch|prerender|preview/i.test(String(request.headers[name] ?? '')),
  )
}

/** The address to go to: with a session, or with what went wrong. */
async function openLink(request: FastifyRequest, services: AuthServices): Promise<string> {
  const fields = readLink(request)
  const target = redirectTarget(request, services.config)
  try {
    const type = readLinkType(fields.type)
    const link = { type, token: fields.token, client: clientDetails(request) }
    return sessionRedirect(target, await openSessionByLink(services, link, LINK_REFUSED), { type })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return withErrorFragment(target, describeError(error))
  }
}

function readLink(request: FastifyRequest): { type: string; token: string } {
  const query = fieldsOf(request.query)
  const [type] = [query['type']].flat()
  const [token] = [query['token'] ?? query['token_hash']].flat()
  if (typeof type !== 'string' || type === '') throw invalid('Verify requires a verification type')
  if (typeof token !== 'string' || token === '') throw invalid('Verify requires a token or a token hash')
  return { type, token }
}

function readLinkType(type: string): LinkType {
  if (type === 'signup' || type === 'recovery') return type
  throw invalid('Invalid email verification type')
}

/** Either the token of a link, or an address with its code. */
function readVerification(fields: Fields): { type: LinkType; token: string; refusal: string } {
  const given = readText(fields, 'type')
  const token = readText(fields, 'token')
  const tokenHash = readText(fields, 'token_hash')
  const email = readText(fields, 'email')
  if (given === '') throw invalid('Verify requires a verification type')
  if (token === '' && tokenHash === '') throw invalid('Verify requires a token or a token hash')
  const type = readLinkType(given)
  if (tokenHash === '') {
    if (email === '') throw invalid('Only an email address or phone number should be provided on verify')
    return { type, token: tokenOf(readEmailAddress(email), token), refusal: CODE_REFUSED }
  }
  if (email !== '' || token !== '' || readText(fields, 'phone') !== '') {
    throw invalid('Only the token_hash and type should be provided')
  }
  return { type, token: tokenHash, refusal: LINK_REFUSED }
}

function invalid(message: string): ApiError {
  return new ApiError(400, 'validation_failed', message)
}
