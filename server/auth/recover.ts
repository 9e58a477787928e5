import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { validationFailed } from '../errors/api-error.ts'
import { parseEmailAddress } from './account-rules.ts'
import { findAccountByEmail } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { emailLinkLater } from './one-time-links.ts'
import { countRequests } from './rate-limits.ts'
import { redirectTarget } from './redirect-targets.ts'
import { parseBody, text } from './request-body.ts'

const Body = v.object({ email: text })

/**
 * POST /recover: emails a link to a user who forgot their password. supabase/auth internal/api/recover.go.
 * The response is the same whether or not the address has an account.
 */
export function registerRecover(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'recover')
  app.post('/recover', { onRequest }, async (request) => {
    const body = parseBody(request, Body)
    if (body.email === '') {
      throw validationFailed('Password recovery requires an email')
    }
    const email = parseEmailAddress(body.email)
    const type = 'recovery'
    const account = await findAccountByEmail(services.pool, email)
    const counted = await services.limits.countEmail(request, { type, email, account })
    const redirectTo = redirectTarget(request, services.config)
    emailLinkLater(services, request.log, { type, email, counted, account, redirectTo })
    return {}
  })
}
