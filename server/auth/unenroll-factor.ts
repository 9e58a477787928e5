import type { FastifyInstance } from 'fastify'
import { withTransaction } from '../db/transaction.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer } from './bearer.ts'
import { sendNotice } from './notices.ts'
import { countRequests } from './rate-limits.ts'
import {
  factorNotFound,
  findFactor,
  hasSecondFactor,
  lockAccount,
  requireSecondFactor,
} from './second-factor.ts'
import { appRemovedEmail, twoFactorOffEmail } from './two-factor-emails.ts'

/** A trigger does the rest, so that it also happens where an operator removes a factor: see the schema. */
const REMOVE = 'delete from auth.mfa_factors where id = $1'

/**
 * DELETE /factors/:id: removes an authenticator app. Without the last one, two-factor sign-in is off.
 * supabase/auth internal/api/mfa.go UnenrollFactor.
 */
export function registerUnenrollFactor(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'factors')
  app.delete('/factors/:id', { onRequest }, async (request) => {
    const bearer = await requireBearer(request, services)
    const { id, status } = findFactor(request, bearer.account)
    if (status === 'verified') {
      requireSecondFactor(bearer, 422, 'AAL2 required to unenroll verified factor')
    }
    const account = await withTransaction(services.pool, async (transaction) => {
      const locked = await lockAccount(transaction, bearer.account.id)
      const { rowCount } = await transaction.query({ name: 'auth:remove-factor', text: REMOVE, values: [id] })
      if (rowCount === 0) throw factorNotFound()
      return { ...locked, factors: locked.factors.filter((factor) => factor.id !== id) }
    })
    if (status === 'verified') {
      const template = hasSecondFactor(account) ? appRemovedEmail : twoFactorOffEmail
      await sendNotice(request, services, { account, template, path: '/settings' })
    }
    return { id }
  })
}
