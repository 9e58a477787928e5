import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { renderSVG } from 'uqr'
import * as v from 'valibot'
import { ApiError, validationFailed } from '../../errors/api-error.ts'
import { authorize, changeAccount, proofFields } from '../account-change.ts'
import type { Account } from '../account.ts'
import type { AuthServices } from '../auth-services.ts'
import { requireBearer } from '../bearer.ts'
import { countRequests } from '../rate-limits.ts'
import { parseBody, text } from '../request-body.ts'
import { createSecret, encryptSecret } from './totp.ts'

/** Apps that an account can have. */
const MAX_FACTORS = 2
/** In seconds, as there: so long, an app that has given no code keeps its name. */
const UNVERIFIED_LIFETIME = 5 * 60
/** With the margin that the standard asks for. */
const QR_CODE = { ecc: 'M', border: 4 } as const
/** In characters. A longer issuer may not fit into a QR code, which has it twice. */
const MAX_LENGTHS = { friendly_name: 100, issuer: 50 }

const REQUIREMENTS = {
  secondFactor: [403, 'AAL2 required to enroll a new factor'],
  proof: 'factors',
} as const

const REMOVE_UNVERIFIED = `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'`
const STORE = `
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
  values ($1, $2, $3, 'totp', 'unverified', $4, $5, $5)`

const Body = v.object({
  factor_type: text,
  friendly_name: text,
  issuer: text,
  ...proofFields,
})

/** supabase/auth internal/api/mfa.go EnrollFactorResponse. */
interface EnrolledFactor {
  id: string
  type: 'totp'
  friendly_name: string
  totp: { qr_code: string; secret: string; uri: string }
}

/**
 * POST /factors: begins to add an authenticator app, which counts once a code of it was given (verify-factor.ts). It takes the place of
 * one with another name that was begun before. supabase/auth internal/api/mfa.go EnrollFactor.
 *
 * Unlike there, it takes the proof that a new password takes: by adding an app, whoever holds a stolen token could lock the owner out.
 */
export function registerEnrollFactor(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'factors')
  app.post('/factors', { onRequest }, async (request): Promise<EnrolledFactor> => {
    const bearer = await requireBearer(request, services)
    const { name, issuer, proof } = parseEnrollment(request, services)
    const change = await authorize(request, services, bearer, () => REQUIREMENTS, proof)
    const id = randomUUID()
    const { secret, uri } = createSecret(issuer, bearer.account.email ?? '')
    const encrypted = await encryptSecret(services.keys, secret)
    await changeAccount(services, change, async (transaction, { account }) => {
      checkFactors(account, name, services.clock.now())
      const values = [account.id]
      await transaction.query({ name: 'auth:remove-unverified', text: REMOVE_UNVERIFIED, values })
      const factor = [id, account.id, name, encrypted, services.clock.now()]
      await transaction.query({ name: 'auth:store-factor', text: STORE, values: factor })
    })
    return { id, type: 'totp', friendly_name: name, totp: { qr_code: renderSVG(uri, QR_CODE), secret, uri } }
  })
}

function parseEnrollment(request: FastifyRequest, { config }: AuthServices) {
  const body = parseBody(request, Body)
  const { factor_type: type, friendly_name: name } = body
  if (type === 'phone') {
    throw new ApiError(422, 'mfa_phone_enroll_not_enabled', 'MFA enroll is disabled for Phone')
  }
  if (type === 'webauthn') {
    throw new ApiError(422, 'mfa_webauthn_enroll_not_enabled', 'MFA enroll is disabled for WebAuthn')
  }
  if (type !== 'totp') throw validationFailed('factor_type needs to be totp, phone, or webauthn')
  const issuer = body.issuer === '' ? new URL(config.siteUrl).host : body.issuer
  for (const field of ['friendly_name', 'issuer'] as const) {
    const limit = MAX_LENGTHS[field]
    if (body[field].length > limit)
      throw validationFailed(`${field} can have at most ${String(limit)} characters`)
  }
  return { name, issuer, proof: body }
}

/** Throws if the account can't have a further app of this name. */
function checkFactors({ factors }: Account, name: string, now: Date): void {
  const verified = factors.filter(({ status }) => status === 'verified')
  const since = now.getTime() - UNVERIFIED_LIFETIME * 1000
  const begun = factors.filter((factor) => Date.parse(factor.created_at) >= since)
  if ([...verified, ...begun].some((factor) => (factor.friendly_name ?? '') === name)) {
    const message = `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`
    throw new ApiError(422, 'mfa_factor_name_conflict', message)
  }
  if (verified.length >= MAX_FACTORS) {
    const message = 'Maximum number of verified factors reached, unenroll to continue'
    throw new ApiError(422, 'too_many_enrolled_mfa_factors', message)
  }
}
