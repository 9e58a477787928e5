import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { readEmailAddress } from './accounts/email-address.ts'
import { findAccountByEmail } from './accounts/find-account.ts'
import type { AuthServices } from './auth-services.ts'
import { redirectTarget } from './links/redirect-target.ts'
import { mailLink, pretendToMail } from './mail-link.ts'
import { readFields, readText, type Fields } from './request-body.ts'

const TYPES = ['signup', 'email_change', 'sms', 'phone_change']

/**
 * POST /resend: the confirmation mail once more. supabase/auth internal/api/resend.go.
 * The answer is the same for an address that has no account, or is confirmed already.
 */
export function registerResend(app: FastifyInstance, services: AuthServices): void {
  app.post('/resend', async (request) => {
    await services.limits.countRequest(request, 'resend')
    const email = readRequest(readFields(request))
    if (email === null) return {}
    await services.limits.countMailTo('signup', email)
    const account = await findAccountByEmail(services.pool, email)
    const redirectTo = redirectTarget(request, services.config)
    if (account === null || account.email_confirmed_at !== null) {
      await pretendToMail(services, 'signup', email)
    } else {
      await mailLink(services, { account, email, type: 'signup', redirectTo })
    }
    return {}
  })
}

/** The address to mail to; null for a mail of a kind that this server never sent a first time. */
function readRequest(fields: Fields): string | null {
  const type = readText(fields, 'type')
  const email = readText(fields, 'email')
  if (!TYPES.includes(type)) throw invalid(`Missing one of these types: ${TYPES.join(', ')}`)
  if (type === 'signup' && email === '') throw invalid('Type provided requires an email address')
  if (type === 'sms' && readText(fields, 'phone') === '') {
    throw invalid('Type provided requires a phone number')
  }
  if (email === '') throw invalid('Missing email address or phone number')
  return type === 'signup' ? readEmailAddress(email) : null
}

function invalid(message: string): ApiError {
  return new ApiError(400, 'validation_failed', message)
}
