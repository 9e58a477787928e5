import type { FastifyRequest } from 'fastify'
import { withTransaction } from '../db/transaction.ts'
import { ApiError } from '../errors/api-error.ts'
import { createAccount } from './accounts/create-account.ts'
import { claimUnconfirmed } from './accounts/claim-unconfirmed.ts'
import type { AuthServices } from './auth-services.ts'
import { clientDetails } from './sessions/client-details.ts'
import type { Session } from './sessions/session-json.ts'
import { startSession } from './sessions/start-session.ts'
import type { SignUp } from './sign-up.ts'

/**
 * A sign-up whose address counts as confirmed: the person is signed in.
 * An account that was never confirmed (from a time when that was asked for) is claimed by whoever signs up now.
 */
export async function signUpAtOnce(
  request: FastifyRequest,
  services: AuthServices,
  { email, password, data }: SignUp,
): Promise<Session> {
  const { pool, clock, passwords } = services
  const passwordHash = await passwords.hash(password)
  return withTransaction(pool, async (transaction) => {
    const given = { email, passwordHash, data, confirmed: true, now: clock.now() }
    const account = (await createAccount(transaction, given)) ?? (await claimUnconfirmed(transaction, given))
    if (account === null) throw alreadyRegistered()
    const start = { accountId: account.id, method: 'password', client: clientDetails(request) } as const
    const session = await startSession(services, transaction, start)
    if (session === null) throw alreadyRegistered()
    return session
  })
}

function alreadyRegistered(): ApiError {
  return new ApiError(422, 'user_already_exists', 'User already registered')
}
