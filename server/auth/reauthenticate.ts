import type { FastifyInstance } from 'fastify'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import type { Account } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { authorize, changeAccount } from './account-change.ts'
import { requireBearer } from './bearer.ts'
import { reauthenticationEmail } from './email-templates.ts'
import { storeCode } from './emailed-codes.ts'
import { attemptEmail } from './one-time-links.ts'
import { countRequests } from './rate-limits.ts'

/**
 * GET /reauthenticate: emails a code that allows the caller to change the password, the email address or the apps for two-factor sign-in.
 * supabase/auth internal/api/reauthenticate.go.
 */
export function registerReauthenticate(app: FastifyInstance, services: AuthServices): void {
  const { clock, config, limits, mailer } = services
  const requirements = () =>
    ({ secondFactor: [403, 'AAL2 required to reauthenticate'], proof: null }) as const
  const onRequest = countRequests(services, 'reauthenticate')
  app.get('/reauthenticate', { onRequest, exposeHeadRoute: false }, async (request) => {
    const bearer = await requireBearer(request, services)
    const change = await authorize(request, services, bearer, requirements)
    const { account } = bearer
    const counted = await limits.countEmail(request, {
      type: 'reauthentication',
      email: confirmedAddress(account),
      account,
    })
    const { code, to } = await changeAccount(services, change, async (transaction, caller) => {
      const email = confirmedAddress(caller.account)
      const created = await storeCode(transaction, { accountId: account.id, email, now: clock.now() })
      return { code: created, to: email }
    }).catch(async (error: unknown) => {
      await counted.refund()
      throw error
    })
    await attemptEmail({ counted, failure: 'Error sending reauthentication email' }, async () =>
      mailer.send(reauthenticationEmail({ to, product: config.productName, code })),
    )
    return {}
  })
}

function confirmedAddress({ email, email_confirmed_at: confirmedAt }: Account): string {
  if (email === null || email === '') {
    const message = 'Reauthentication requires the user to have an email or a phone number'
    throw validationFailed(message)
  }
  if (confirmedAt === null) {
    throw new ApiError(422, 'email_not_confirmed', 'Please verify your email first.')
  }
  return email
}
