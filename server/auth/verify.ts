import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { withTransaction } from '../db/transaction.ts'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import { parseEmailAddress } from './account-rules.ts'
import { isBanned, NO_EMAIL_CHANGE, passwordHashOf, type Account, type Queryable } from './account.ts'
import type { AuthServices } from './auth-services.ts'
import { confirmEmailChange } from './email-change.ts'
import { addressChangedEmail } from './email-templates.ts'
import { sendNotice } from './notices.ts'
import { isLinkType, takeToken, tokenOf, type LinkType } from './one-time-links.ts'
import { countRequests } from './rate-limits.ts'
import { redirectTarget } from './redirect-targets.ts'
import { errorParameters, withFragment, withSession } from './redirect-urls.ts'
import { parseBody, text, textFields } from './request-body.ts'
import { hasSecondFactor } from './factors/second-factor.ts'
import { clientDetails } from './client-details.ts'
import { createSession, renderSession, type Session } from './sessions.ts'

const INVALID_LINK = 'Email link is invalid or has expired'
const INVALID_CODE = 'Token has expired or is invalid'
/** For the first of the two links that change an email address. */
const ACCEPTED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
/** Headers with which browsers and scanners announce that they fetch a page before the user opens it. */
const PREFETCH_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

const Body = v.object({ type: text, token: text, token_hash: text, email: text, phone: text })

/** GET and POST /verify: where an emailed link leads. supabase/auth internal/api/verify.go. */
export function registerVerify(app: FastifyInstance, services: AuthServices): void {
  app.route({
    method: 'GET',
    url: '/verify',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      // A prefetch must not consume the link; after an error, browsers request it again when the link is really opened.
      if (isPrefetch(request)) return reply.code(503).send()
      await services.limits.countRequest(request, 'verify')
      return reply.redirect(await openLink(request, services), 303)
    },
  })
  app.head('/verify', async (_request, reply) => reply.code(200).send())
  const onRequest = countRequests(services, 'verify')
  app.post('/verify', { onRequest }, async (request, reply) => {
    const used = await useToken(request, services, parseToken(request))
    return used === null ? { code: '200', msg: ACCEPTED } : renderSession(reply, used.session)
  })
}

function isPrefetch(request: FastifyRequest): boolean {
  return PREFETCH_HEADERS.some((name) =>
    /prefetch|prerender|preview/i.test(String(request.headers[name] ?? '')),
  )
}

/** Where the web app lets users set a new password. */
const RESET_PASSWORD = '/reset-password'

/** A token as it was presented. */
interface PresentedToken {
  type: LinkType
  token: string
  /** The message of the error when the token is not valid. */
  invalid: string
}

/** The URL to redirect to, with a session, a message or an error. */
async function openLink(request: FastifyRequest, services: AuthServices): Promise<string> {
  const { token, ...query } = parseLink(request)
  const target = redirectTarget(request, services.config)
  try {
    const type = parseLinkType(query.type)
    const used = await useToken(request, services, { type, token, invalid: INVALID_LINK })
    if (used === null) return withFragment(target, { message: ACCEPTED })
    const isForPassword = type === 'signup' && used.type === 'recovery'
    return withSession(isForPassword ? `${services.config.siteUrl}${RESET_PASSWORD}` : target, used.session, {
      type: type === 'invite' ? type : used.type,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return withFragment(target, errorParameters(error))
  }
}

function parseLink(request: FastifyRequest): { type: string; token: string } {
  const query = textFields(request.query)
  const type = query.get('type') ?? ''
  const token = query.get('token') ?? query.get('token_hash') ?? ''
  if (type === '') throw validationFailed('Verify requires a verification type')
  if (token === '') throw validationFailed('Verify requires a token or a token hash')
  return { type, token }
}

function parseLinkType(type: string): LinkType {
  if (isLinkType(type)) return type
  throw validationFailed('Invalid email verification type')
}

/** Either the token of a link, or an email address with its code. No account has a phone number, so no code for one is valid. */
function parseToken(request: FastifyRequest): PresentedToken {
  const { type, token, token_hash: tokenHash, email, phone } = parseBody(request, Body)
  if (type === '') throw validationFailed('Verify requires a verification type')
  if (token === '' && tokenHash === '') throw validationFailed('Verify requires a token or a token hash')
  if (tokenHash !== '') {
    if (email !== '' || token !== '' || phone !== '') {
      throw validationFailed('Only the token_hash and type should be provided')
    }
    return { type: parseLinkType(type), token: tokenHash, invalid: INVALID_LINK }
  }
  if ((email === '') === (phone === '')) {
    throw validationFailed('Only an email address or phone number should be provided on verify')
  }
  if (phone !== '' && type !== 'sms' && type !== 'phone_change')
    throw validationFailed('Invalid sms verification type')
  if (phone !== '' || !isLinkType(type)) throw new ApiError(403, 'otp_expired', INVALID_CODE)
  return { type, token: tokenOf(parseEmailAddress(email), token), invalid: INVALID_CODE }
}

interface UsedToken {
  session: Session
  type: LinkType
  /** The account before. */
  account: Account
}

/**
 * Consumes a token and starts a session for its account; both, or neither. Resolves to null, without a session, for the first of
 * the two links that change an email address.
 * Throws 403 `otp_expired` when the token was used before, has expired or never existed.
 */
async function useToken(
  request: FastifyRequest,
  services: AuthServices,
  presented: PresentedToken,
): Promise<UsedToken | null> {
  const now = services.clock.now()
  const used = await withTransaction(services.pool, async (transaction) => {
    const account = await takeToken(transaction, { type: presented.type, token: presented.token, now })
    if (account === null) throw new ApiError(403, 'otp_expired', presented.invalid)
    if (isBanned(account, now)) throw new ApiError(403, 'user_banned', 'User is banned')
    const type = await applyToken(transaction, { account, type: presented.type, now })
    if (type === null) return null
    const session = await createSession(services, transaction, {
      accountId: account.id,
      method: type === 'recovery' ? 'recovery' : 'otp',
      client: clientDetails(request),
    })
    if (session === null) throw new ApiError(403, 'otp_expired', presented.invalid)
    return { session, type, account }
  })
  if (used?.type === 'email_change')
    await sendNotice(request, services, {
      account: used.account,
      template: addressChangedEmail,
      path: '/settings',
    })
  return used
}

/**
 * What opening a link does to its account. Resolves to the type of link that it has served as: where a sign-up left no valid
 * password (see create-account.ts), and for an invitation, the link serves as a recovery link. Null when another link has to be opened as well.
 * supabase/auth internal/api/verify.go signupVerify, recoverVerify and emailChangeVerify.
 */
async function applyToken(
  transaction: Queryable,
  { account, type: presented, now }: { account: Account; type: LinkType; now: Date },
): Promise<LinkType | null> {
  const accountId = account.id
  if (presented === 'email_change')
    return (await confirmEmailChange(transaction, { accountId, now })) ? presented : null
  const setsPassword = passwordHashOf(account) === null && presented !== 'magiclink'
  const type = setsPassword ? 'recovery' : presented
  // With two-factor sign-in, reading the owner's email is not enough to change the account.
  if (hasSecondFactor(account)) return type
  await confirmEmailAddress(transaction, { accountId, type, now })
  return type
}

/**
 * The first confirmation also shows in the user's metadata. The identity's `email_verified` distinguishes a proven
 * address from one that counts as confirmed only because confirmation is off; GoTrue sets it for sign-up links alone.
 *
 * While there is a `confirmation_sent_at`, the password is from before the address was confirmed, so a stranger may have
 * chosen it: PUT /user removes it with a new password. A recovery link, which lets the owner choose another, removes that one.
 */
const CONFIRM = `
  with account as (
    update auth.users set
      raw_user_meta_data = case when email_confirmed_at is null
        then coalesce(raw_user_meta_data, '{}') || '{"email_verified":true}' else raw_user_meta_data end,
      email_confirmed_at = coalesce(email_confirmed_at, $2),
      encrypted_password = case when $3 = 'recovery' and confirmation_sent_at is not null
        then '' else encrypted_password end,
      confirmation_token = '', recovery_token = '', ${NO_EMAIL_CHANGE}, updated_at = $2
    where id = $1
  ), void_links as (
    delete from auth.one_time_tokens where user_id = $1
  )
  update auth.identities set identity_data = identity_data || '{"email_verified":true}', updated_at = $2
  where user_id = $1 and provider = 'email'`

/** Opening an email proves that the address is the user's. Every other link becomes invalid, so a change of the address ends. */
async function confirmEmailAddress(
  transaction: Queryable,
  { accountId, type, now }: { accountId: string; type: LinkType; now: Date },
): Promise<void> {
  await transaction.query({ name: 'auth:confirm', text: CONFIRM, values: [accountId, now, type] })
}
