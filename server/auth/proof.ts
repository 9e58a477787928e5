import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { passwordHashOf } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import type { Bearer } from './bearer.ts'
import { checkPassword } from './password-attempts.ts'
import { checkCode } from './reauthenticate.ts'
import { clientDetails } from './sessions.ts'

/** What a caller wants to change, and what proves that it is the account's owner. */
interface Proof {
  change: keyof typeof MESSAGES
  currentPassword: string
  /** An emailed code. */
  nonce: string
}

/** The first ones are GoTrue's. */
const MESSAGES = {
  password: {
    wrong: 'Current password required when setting new password.',
    missing: 'Password update requires reauthentication',
  },
  email: {
    wrong: 'Current password required when changing the email address.',
    missing: 'Email update requires reauthentication',
  },
  factors: {
    wrong: 'Current password required when changing two-factor sign-in.',
    missing: 'Changing two-factor sign-in requires reauthentication',
  },
}

/** In seconds. Such a change needs a sign-in that is no older, or another proof. */
const RECENT_SIGN_IN = 10 * 60

const FIND_PROOF = `
  select from auth.mfa_amr_claims
  where session_id = $1 and (
    authentication_method = 'recovery' or (
      updated_at >= $2 and authentication_method not in ('totp', 'recovery_code')
      and (authentication_method <> 'password' or $3)
    )
  )
  limit 1`

/**
 * An access token may be stolen, so changing what gives access takes more: the current password, an emailed code, a session from a
 * recovery link, or a recent sign-in, unless that was with a password which a recovery link has removed since. A second factor is no
 * proof, because it may have been added with the stolen token.
 * Throws GoTrue's errors (internal/api/user.go), which asks for less unless it is configured to, and only for a password.
 */
export async function requireProof(
  request: FastifyRequest,
  services: AuthServices,
  { account, sessionId }: Bearer,
  { change, currentPassword, nonce }: Proof,
): Promise<void> {
  if (currentPassword !== '') {
    const { ip } = clientDetails(request)
    const attempt = { email: account.email ?? '', password: currentPassword, account, ip }
    if (await checkPassword(services, attempt)) return
    throw new ApiError(400, 'current_password_invalid', MESSAGES[change].wrong)
  }
  if (nonce !== '') return checkCode(services, account, nonce)
  const since = new Date(services.clock.now().getTime() - RECENT_SIGN_IN * 1000)
  const { rowCount } = await services.pool.query({
    name: 'auth:find-proof',
    text: FIND_PROOF,
    values: [sessionId, since, passwordHashOf(account) !== null],
  })
  if (rowCount !== 1) throw reauthenticationNeeded(change)
}

export function reauthenticationNeeded(change: keyof typeof MESSAGES): ApiError {
  return new ApiError(400, 'reauthentication_needed', MESSAGES[change].missing)
}
