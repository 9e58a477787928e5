import type { FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError } from '../../errors/api-error.ts'
import type { Account, Factor } from '../account.ts'
import type { Bearer } from '../bearer.ts'
import { textFields, Uuid } from '../request-body.ts'

/** Whether two-factor sign-in is on. */
export function hasSecondFactor({ factors }: Pick<Account, 'factors'>): boolean {
  return factors.some(({ status }) => status === 'verified')
}

/** Throws `insufficient_aal` if two-factor sign-in is on and the session of the caller lacks the second factor. */
export function requireSecondFactor({ account, aal }: Bearer, status: number, message: string): void {
  if (aal === 'aal1' && hasSecondFactor(account)) throw new ApiError(status, 'insufficient_aal', message)
}

/** The session to which a second factor can be given. Throws if the token names none. */
export function requireSessionId({ sessionId }: Bearer): string {
  if (sessionId !== null) return sessionId
  throw new ApiError(403, 'session_not_found', 'A session is required to verify a second factor')
}

/** The caller's factor with the id that the URL names. Throws as `factorWithId`. */
export function findFactor({ params }: FastifyRequest, account: Account): Factor {
  return factorWithId(textFields(params).get('id') ?? '', account)
}

/** The account's factor with this id. Throws `mfa_factor_not_found` if there is none. supabase/auth internal/api/admin.go loadFactor. */
export function factorWithId(factorId: string, { factors }: Account): Factor {
  if (!v.is(Uuid, factorId)) throw new ApiError(404, 'validation_failed', 'factor_id must be an UUID')
  const factor = factors.find(({ id }) => id === factorId.toLowerCase())
  if (factor === undefined) throw factorNotFound()
  return factor
}

export function factorNotFound(): ApiError {
  return new ApiError(404, 'mfa_factor_not_found', 'Factor not found')
}
