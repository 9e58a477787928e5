import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { withTransaction } from '../db/transaction.ts'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import { checkNewPassword, checkUserMetadata, parseEmailAddress } from './account-rules.ts'
import { findAccountByEmail, passwordHashOf, type Account, type Metadata } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { createOrClaimAccount } from './create-account.ts'
import { emailExistingAccount, emailLink } from './one-time-links.ts'
import { countRequests } from './rate-limits.ts'
import { redirectTarget } from './redirect-targets.ts'
import { optionalObject, parseBody, text } from './request-body.ts'
import { clientDetails } from './client-details.ts'
import { createSession, renderSession, type Session } from './sessions.ts'
import type { UserJson } from './user-json.ts'

const Body = v.object({ email: text, phone: text, password: text, data: optionalObject })

/** A valid sign-up. */
interface SignUp {
  /** In lower case. */
  email: string
  password: string
  metadata: Metadata
}

/**
 * POST /signup: responds with a session or, where email addresses have to be confirmed, with the account alone.
 * supabase/auth internal/api/signup.go.
 */
export function registerSignUp(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'signup')
  app.post('/signup', { onRequest }, async (request, reply) => {
    const signUp = parseSignUp(request, services)
    return services.config.confirmEmail
      ? signUpWithConfirmation(request, services, signUp)
      : renderSession(reply, await signUpAtOnce(request, services, signUp))
  })
}

/** Makes all checks that need no account, in GoTrue's order. */
function parseSignUp(request: FastifyRequest, { config }: AuthServices): SignUp {
  const { email, phone, password, data } = parseBody(request, Body)
  if (email === '' && phone === '') {
    throw new ApiError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  }
  if (config.disableSignup) {
    throw new ApiError(422, 'signup_disabled', 'Signups not allowed for this instance')
  }
  if (password === '') throw validationFailed('Signup requires a valid password')
  checkNewPassword(password)
  checkProvider(email, phone)
  const signUp = { email: parseEmailAddress(email), password, metadata: data ?? {} }
  checkUserMetadata(signUp.metadata)
  return signUp
}

function checkProvider(email: string, phone: string): void {
  if (phone === '') return
  if (email === '') throw new ApiError(400, 'phone_provider_disabled', 'Phone signups are disabled')
  const message = 'Only an email address or phone number should be provided on signup.'
  throw validationFailed(message)
}

/**
 * Where email addresses need no confirmation, signing up signs the user in. An account that was never confirmed, from
 * a time when confirmation was required, goes to the user who signs up with its address now.
 */
async function signUpAtOnce(
  request: FastifyRequest,
  services: AuthServices,
  { email, password, metadata }: SignUp,
): Promise<Session> {
  const { pool, clock, passwords } = services
  const passwordHash = await passwords.hash(password)
  return withTransaction(pool, async (transaction) => {
    const given = { email, passwordHash, metadata, confirmed: true, now: clock.now() }
    const account = await createOrClaimAccount(transaction, given)
    if (account === null) throw alreadyRegistered()
    const start = { accountId: account.id, method: 'password', client: clientDetails(request) } as const
    const session = await createSession(services, transaction, start)
    if (session === null) throw alreadyRegistered()
    return session
  })
}

function alreadyRegistered(): ApiError {
  return new ApiError(422, 'user_already_exists', 'User already registered')
}

/**
 * Where email addresses have to be confirmed, the user is sent a link, or, if the address has a confirmed account, an email
 * that says so. The response depends on nothing but the request, so it does not reveal whether there is an account. GoTrue's
 * differs in `role`, `user_metadata` and `identities` (internal/api/signup.go sanitizeUser).
 *
 * Signing up again before confirming, with another password, leaves the account without a password: only the owner of the
 * address, who opens a link, may set it. GoTrue keeps the first password: an attacker who signs up with someone else's
 * address first would then own the account that the address's owner confirms later.
 */
async function signUpWithConfirmation(
  request: FastifyRequest,
  services: AuthServices,
  { email, password, metadata }: SignUp,
): Promise<UserJson> {
  const { pool, clock, limits } = services
  const known = await findAccountByEmail(pool, email)
  const counted = await limits.countEmail(request, { type: 'signup', email, account: known })
  const passwordHash = await unconfirmedHash(services, known, password)
  const given = { email, passwordHash, metadata, confirmed: false, now: clock.now() }
  const account = await withTransaction(pool, async (transaction) => createOrClaimAccount(transaction, given))
  const redirectTo = redirectTarget(request, services.config)
  const toSend = { type: 'signup', email, counted } as const
  if (account === null) await emailExistingAccount(services, toSend)
  else await emailLink(services, { ...toSend, account, redirectTo })
  return renderUnconfirmedUser(email, metadata, given.now)
}

/**
 * The hash to store with a sign-up: that of an unconfirmed account if it is of the same password, '' if it is not. Takes
 * the same time whether or not the address has an account.
 */
async function unconfirmedHash(
  { passwords }: AuthServices,
  account: Account | null,
  password: string,
): Promise<string> {
  if (account === null || account.email_confirmed_at !== null) return passwords.hash(password)
  const stored = passwordHashOf(account)
  return (await passwords.matches(password, stored)) && stored !== null ? stored : ''
}

/** A new account as GoTrue renders it. The ids are random: the real ones would tell a known address from an unknown one. */
function renderUnconfirmedUser(email: string, metadata: Metadata, now: Date): UserJson {
  const id = randomUUID()
  const time = now.toISOString().replace(/\.?0*Z$/, 'Z')
  const data = { ...metadata, email, email_verified: false, phone_verified: false, sub: id }
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: time,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: data,
    identities: [
      {
        identity_id: randomUUID(),
        id,
        user_id: id,
        identity_data: data,
        provider: 'email',
        last_sign_in_at: time,
        created_at: time,
        updated_at: time,
        email,
      },
    ],
    created_at: time,
    updated_at: time,
    is_anonymous: false,
  }
}
