import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { validationFailed } from '../errors/api-error.ts'
import { parseEmailAddress } from './account-rules.ts'
import { findAccountByEmail } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { emailLinkLater } from './one-time-links.ts'
import { countRequests } from './rate-limits.ts'
import { redirectTarget } from './redirect-targets.ts'
import { parseBody, text } from './request-body.ts'

const Body = v.object({ type: text, email: text, phone: text })
const TYPES = ['signup', 'email_change', 'sms', 'phone_change']

/**
 * POST /resend: sends the confirmation email again. supabase/auth internal/api/resend.go.
 * The response is the same for an address that has no account or is already confirmed.
 */
export function registerResend(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'resend')
  app.post('/resend', { onRequest }, async (request) => {
    const email = parseResend(request)
    if (email === null) return {}
    const type = 'signup'
    const found = await findAccountByEmail(services.pool, email)
    const counted = await services.limits.countEmail(request, { type, email, account: found })
    const redirectTo = redirectTarget(request, services.config)
    const account = found?.email_confirmed_at === null ? found : null
    emailLinkLater(services, request.log, { type, email, counted, account, redirectTo })
    return {}
  })
}

/** The address to send to; null for a type of message that this server never sends in the first place. */
function parseResend(request: FastifyRequest): string | null {
  const { type, email, phone } = parseBody(request, Body)
  if (!TYPES.includes(type)) throw validationFailed(`Missing one of these types: ${TYPES.join(', ')}`)
  if (type === 'signup' && email === '') throw validationFailed('Type provided requires an email address')
  if (type === 'sms' && phone === '') throw validationFailed('Type provided requires a phone number')
  if (email === '') throw validationFailed('Missing email address or phone number')
  return type === 'signup' ? parseEmailAddress(email) : null
}
