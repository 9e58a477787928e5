import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { ApiError, validationFailed } from '../../errors/api-error.ts'
import { authorize, changeAccount, SESSION_ONLY } from '../account-change.ts'
import type { AuthServices } from '../auth-services.ts'
import { requireBearer } from '../bearer.ts'
import { sendNotice } from '../notices.ts'
import { countRequests } from '../rate-limits.ts'
import { countRecoveryCodes, hashOfCode } from './recovery-codes.ts'
import { parseBody, text } from '../request-body.ts'
import { hasSecondFactor, requireSessionId } from './second-factor.ts'
import { clientDetails } from '../client-details.ts'
import { issueAccessToken, raiseSession, renderSession } from '../sessions.ts'
import { recoveryCodeUsedEmail } from './two-factor-emails.ts'

const Body = v.object({ code: text })

const USE = 'delete from intercede.recovery_codes where user_id = $1 and code_hash = $2'

/**
 * POST /factors/recovery-codes/verify: gives a recovery code in place of an app's, which raises the session to `aal2`. Wrong ones are not
 * counted for the account, as they cannot be guessed: an attacker who tries an app's codes must not keep the owner from using one.
 */
export function registerVerifyRecoveryCode(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'factors')
  app.post('/factors/recovery-codes/verify', { onRequest }, async (request, reply) => {
    const bearer = await requireBearer(request, services)
    const { code } = parseBody(request, Body)
    if (code === '') throw validationFailed('Code needs to be non-empty')
    const accountId = bearer.account.id
    const sessionId = requireSessionId(bearer)
    const change = await authorize(request, services, bearer, () => SESSION_ONLY)
    const { session, left } = await changeAccount(services, change, async (transaction, { account }) => {
      const values = [accountId, hashOfCode(accountId, code)]
      const { rowCount } = await transaction.query({ name: 'auth:use-recovery-code', text: USE, values })
      if (rowCount === 0 || !hasSecondFactor(account)) {
        throw new ApiError(422, 'mfa_verification_failed', 'Invalid recovery code entered')
      }
      const client = clientDetails(request)
      const given = { accountId, sessionId, method: 'recovery_code', factorId: null, client } as const
      return {
        session: await raiseSession(services, transaction, given),
        left: await countRecoveryCodes(transaction, accountId),
      }
    })
    const template = recoveryCodeUsedEmail(left)
    await sendNotice(request, services, { account: bearer.account, template, path: '/settings' })
    return renderSession(reply, await issueAccessToken(services, session))
  })
}
