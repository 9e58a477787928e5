import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { isBanned } from './accounts/account.ts'
import { findAccountByEmail } from './accounts/find-account.ts'
import type { AuthServices } from './auth-services.ts'
import { replaceOutdatedHash } from './passwords/replace-outdated-hash.ts'
import { readFields, readText } from './request-body.ts'
import { clientDetails } from './sessions/client-details.ts'
import { announceSession, renderSession, type SessionJson } from './sessions/session-json.ts'
import { startSession } from './sessions/start-session.ts'

/** Only this grant tells of weak passwords: null when there is nothing to tell. */
type PasswordSessionJson = SessionJson & { weak_password: null }

/**
 * The password grant: a session for an address and its password. supabase/auth internal/api/token.go.
 * An unknown address, one without a password and a wrong password look the same, and take the same time.
 */
export async function passwordGrant(
  request: FastifyRequest,
  reply: FastifyReply,
  services: AuthServices,
): Promise<PasswordSessionJson> {
  const { email, password } = readCredentials(request)
  const account = await findAccountByEmail(services.pool, email.toLowerCase())
  const hash = account?.encrypted_password
  // An empty hash is how Supabase stores an account without a password.
  const matches = await services.passwords.matches(password, hash === '' || hash === undefined ? null : hash)
  if (account === null || hash === null || hash === undefined || !matches) throw invalidCredentials()
  if (isBanned(account, services.clock.now())) throw new ApiError(400, 'user_banned', 'User is banned')
  if (account.email_confirmed_at === null) {
    throw new ApiError(400, 'email_not_confirmed', 'Email not confirmed')
  }
  const client = clientDetails(request)
  const checkedHash = await replaceOutdatedHash(services, { accountId: account.id, password, hash })
  const start = { accountId: account.id, method: 'password', client, checkedHash } as const
  const session = await startSession(services, services.pool, start)
  if (session === null) throw invalidCredentials()
  announceSession(reply, session)
  return { ...renderSession(session), weak_password: null }
}

function readCredentials(request: FastifyRequest): { email: string; password: string } {
  const fields = readFields(request)
  const email = readText(fields, 'email')
  const password = readText(fields, 'password')
  if (email === '' && readText(fields, 'phone') !== '') {
    throw new ApiError(422, 'phone_provider_disabled', 'Phone logins are disabled')
  }
  if (email === '') throw new ApiError(400, 'validation_failed', 'missing email or phone')
  return { email, password }
}

function invalidCredentials(): ApiError {
  return new ApiError(400, 'invalid_credentials', 'Invalid login credentials')
}
