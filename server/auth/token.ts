import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import { findAccountByEmail, isBanned, passwordHashOf } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { checkPassword } from './password-attempts.ts'
import { isOutdated } from './passwords.ts'
import { parseBody, text } from './request-body.ts'
import { clientDetails } from './client-details.ts'
import { createSession, issueAccessToken, renderSession, type Session } from './sessions.ts'
import { rotateRefreshToken } from './rotate-refresh-token.ts'

const PasswordBody = v.object({ email: text, phone: text, password: text })
const RefreshBody = v.object({ refresh_token: text })

/** The grants of the real service that this server lacks. */
const UNSUPPORTED_GRANTS: ReadonlySet<string> = new Set(['id_token', 'pkce', 'web3'])

interface TokenRoute {
  Querystring: { grant_type?: string | string[] }
}
type TokenRequest = FastifyRequest<TokenRoute>

/** POST /token?grant_type=password|refresh_token. supabase/auth internal/api/token.go. */
export function registerToken(app: FastifyInstance, services: AuthServices): void {
  const onRequest = async (request: TokenRequest) => {
    if (request.query.grant_type === 'password') await services.limits.countRequest(request, 'token')
  }
  app.post<TokenRoute>('/token', { onRequest }, async (request, reply) => {
    const grant = request.query.grant_type
    if (grant === 'password') {
      const session = await grantByPassword(request, services)
      // Only this grant reports weak passwords: null when there is nothing to report.
      return { ...renderSession(reply, session), weak_password: null }
    }
    if (grant === 'refresh_token') return renderSession(reply, await grantByRefreshToken(request, services))
    if (typeof grant === 'string' && UNSUPPORTED_GRANTS.has(grant))
      throw new ApiError(400, 'invalid_credentials', `Not supported by this server: grant_type=${grant}`)
    throw new ApiError(400, 'invalid_credentials', 'unsupported_grant_type')
  })
}

/**
 * A session for an email address and its password. An unknown address, an account without a password and a wrong
 * password can't be told apart, not even by the time the response takes.
 */
async function grantByPassword(request: FastifyRequest, services: AuthServices): Promise<Session> {
  const { email, password } = parseCredentials(request)
  const account = await findAccountByEmail(services.pool, email)
  const hash = passwordHashOf(account)
  const client = clientDetails(request)
  const matches = await checkPassword(services, { email, password, account, ip: client.ip })
  if (account === null || hash === null || !matches) throw invalidCredentials()
  if (isBanned(account, services.clock.now())) throw new ApiError(400, 'user_banned', 'User is banned')
  if (account.email_confirmed_at === null) {
    throw new ApiError(400, 'email_not_confirmed', 'Email not confirmed')
  }
  const session = await createSession(services, services.pool, {
    accountId: account.id,
    method: 'password',
    client,
    checkedHash: await replaceOutdatedHash(services, { accountId: account.id, password, hash }),
  })
  if (session === null) throw invalidCredentials()
  return session
}

function parseCredentials(request: FastifyRequest): { email: string; password: string } {
  const { email, phone, password } = parseBody(request, PasswordBody)
  if (email === '' && phone !== '') {
    throw new ApiError(422, 'phone_provider_disabled', 'Phone logins are disabled')
  }
  if (email === '') throw validationFailed('missing email or phone')
  return { email: email.toLowerCase(), password }
}

function invalidCredentials(): ApiError {
  return new ApiError(400, 'invalid_credentials', 'Invalid login credentials')
}

const REPLACE_HASH = 'update auth.users set encrypted_password = $3 where id = $1 and encrypted_password = $2'

/**
 * If a password's hash is weaker than a new one would be (accounts moved from Supabase have bcrypt hashes), replaces it
 * while the password is known. Resolves to the hash that is stored then. A password changed meanwhile stays untouched.
 */
async function replaceOutdatedHash(
  { pool, passwords }: AuthServices,
  { accountId, password, hash }: { accountId: string; password: string; hash: string },
): Promise<string> {
  if (!isOutdated(hash)) return hash
  const fresh = await passwords.hash(password)
  const values = [accountId, hash, fresh]
  const { rowCount } = await pool.query({ name: 'auth:replace-hash', text: REPLACE_HASH, values })
  return rowCount === 1 ? fresh : hash
}

/** A new pair of tokens for a refresh token. supabase/auth internal/api/token_refresh.go. */
async function grantByRefreshToken(request: FastifyRequest, services: AuthServices): Promise<Session> {
  const { refresh_token: presented } = parseBody(request, RefreshBody)
  return issueAccessToken(services, await rotateRefreshToken(services, presented, clientDetails(request)))
}
