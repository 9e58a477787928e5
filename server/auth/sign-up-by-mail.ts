import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { withTransaction } from '../db/transaction.ts'
import { claimUnconfirmed } from './accounts/claim-unconfirmed.ts'
import { createAccount } from './accounts/create-account.ts'
import { renderUser, type UserJson } from './accounts/user-json.ts'
import type { AuthServices } from './auth-services.ts'
import { redirectTarget } from './links/redirect-target.ts'
import { mailLink, pretendToMail } from './mail-link.ts'
import type { SignUp } from './sign-up.ts'

/**
 * A sign-up whose address has yet to be confirmed: the person gets a mail. An address with a confirmed account gets
 * none, and an answer that tells nobody but the web app (supabase/auth internal/api/signup.go sanitizeUser).
 *
 * Signing up again before confirming replaces password and data, so that the mail the person is looking at belongs to
 * the password they typed last. GoTrue keeps the first password: whoever signs up with a stranger's address first
 * would own the account that the stranger later confirms.
 */
export async function signUpByMail(
  request: FastifyRequest,
  services: AuthServices,
  { email, password, data }: SignUp,
): Promise<UserJson> {
  const { pool, clock, passwords, limits } = services
  await limits.countMailTo('signup', email)
  const passwordHash = await passwords.hash(password)
  const given = { email, passwordHash, data, confirmed: false, now: clock.now() }
  const account = await withTransaction(
    pool,
    async (transaction) =>
      (await createAccount(transaction, given)) ?? (await claimUnconfirmed(transaction, given)),
  )
  if (account === null) {
    await pretendToMail(services, 'signup', email)
    return obfuscatedUser(email, data, given.now)
  }
  const redirectTo = redirectTarget(request, services.config)
  return renderUser(await mailLink(services, { account, email, type: 'signup', redirectTo }))
}

function obfuscatedUser(email: string, data: SignUp['data'], now: Date): UserJson {
  const time = now.toISOString().replace(/\.?0*Z$/, 'Z')
  return {
    id: randomUUID(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: time,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: data,
    identities: [],
    created_at: time,
    updated_at: time,
    is_anonymous: false,
  }
}
