import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { readEmailAddress } from './accounts/email-address.ts'
import { findAccountByEmail } from './accounts/find-account.ts'
import type { AuthServices } from './auth-services.ts'
import { redirectTarget } from './links/redirect-target.ts'
import { mailLink, pretendToMail } from './mail-link.ts'
import { readFields, readText } from './request-body.ts'

/**
 * POST /recover: mails a link to whoever forgot their password. supabase/auth internal/api/recover.go.
 * The answer is the same whether or not the address has an account.
 */
export function registerRecover(app: FastifyInstance, services: AuthServices): void {
  app.post('/recover', async (request) => {
    await services.limits.countRequest(request, 'recover')
    const given = readText(readFields(request), 'email')
    if (given === '') {
      throw new ApiError(400, 'validation_failed', 'Password recovery requires an email')
    }
    const email = readEmailAddress(given)
    await services.limits.countMailTo('recovery', email)
    const account = await findAccountByEmail(services.pool, email)
    const redirectTo = redirectTarget(request, services.config)
    if (account === null) await pretendToMail(services, 'recovery', email)
    else await mailLink(services, { account, email, type: 'recovery', redirectTo })
    return {}
  })
}
