import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { authorize, changeAccount, proofFields, type Requirements } from '../account-change.ts'
import type { AuthServices } from '../auth-services.ts'
import { requireBearer } from '../bearer.ts'
import { sendNotice } from '../notices.ts'
import { countRequests } from '../rate-limits.ts'
import { parseBody } from '../request-body.ts'
import { findFactor, hasSecondFactor } from './second-factor.ts'
import { appRemovedEmail, twoFactorOffEmail } from './two-factor-emails.ts'

const REQUIREMENTS: Requirements = {
  secondFactor: [422, 'AAL2 required to unenroll verified factor'],
  proof: 'factors',
}

/** Nobody without a code removes the app that the owner is adding to another one. */
const OF_UNVERIFIED: Requirements = { ...REQUIREMENTS, proof: null }

const Body = v.object(proofFields)

/** A trigger does the rest, so that it also happens where an operator removes a factor: see the schema. */
const REMOVE = 'delete from auth.mfa_factors where id = $1'

/**
 * DELETE /factors/:id: removes an authenticator app. Without the last one, two-factor sign-in is off.
 * supabase/auth internal/api/mfa.go UnenrollFactor.
 *
 * Unlike there, it takes the proof that adding one takes, in an optional body, unless the app has never given a code. `mfa.unenroll` of
 * auth-js has no body: a recent sign-in does.
 */
export function registerUnenrollFactor(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'factors')
  app.delete('/factors/:id', { onRequest }, async (request) => {
    const bearer = await requireBearer(request, services)
    const proof = parseBody({ body: request.body ?? {} }, Body)
    const change = await authorize(
      request,
      services,
      bearer,
      (account) => (findFactor(request, account).status === 'verified' ? REQUIREMENTS : OF_UNVERIFIED),
      proof,
    )
    const { before, removed } = await changeAccount(services, change, async (transaction, { account }) => {
      const factor = findFactor(request, account)
      await transaction.query({ name: 'auth:remove-factor', text: REMOVE, values: [factor.id] })
      return { before: account, removed: factor }
    })
    if (removed.status === 'verified') {
      const account = { ...before, factors: before.factors.filter(({ id }) => id !== removed.id) }
      const template = hasSecondFactor(account) ? appRemovedEmail : twoFactorOffEmail
      await sendNotice(request, services, { account, template, path: '/settings' })
    }
    return { id: removed.id }
  })
}
