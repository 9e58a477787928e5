import { createHash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { ACCOUNT, queryAccount, type Account, type Queryable } from './account.ts'
import { authUrl, type AuthServices } from './auth-services.ts'
import {
  confirmationEmail,
  existingAccountEmail,
  invitationEmail,
  recoveryEmail,
  type LinkEmail,
} from './email-templates.ts'
import type { CountedEmail } from './rate-limits.ts'

/** How long an emailed link or code works, in seconds. */
export const LINK_LIFETIME = 3600
/** How long an invitation works, in seconds. */
export const INVITATION_LIFETIME = 7 * 86_400

/** What a link is for, as the protocol calls it, and the tokens it can have: a change of the email address sends two links. */
const TOKEN_TYPES = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  recovery: ['recovery_token'],
  magiclink: ['recovery_token'],
  email_change: ['email_change_token_new', 'email_change_token_current'],
} as const
export type LinkType = keyof typeof TOKEN_TYPES
type TokenType = (typeof TOKEN_TYPES)[LinkType][number] | 'reauthentication_token'

export function isLinkType(type: string): type is LinkType {
  return Object.hasOwn(TOKEN_TYPES, type)
}

/** The token for an email address and a code. supabase/auth internal/crypto/crypto.go GenerateTokenHash. */
export function tokenOf(email: string, code: string): string {
  return createHash('sha224')
    .update(email + code)
    .digest('hex')
}

/** Only a hash of the token is stored, so that a reader of the database can't make a link of it. */
export function storedForm(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** From which a token is made. */
export function newCode(): string {
  return randomBytes(20).toString('hex')
}

const STORE = `
  insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
  values (gen_random_uuid(), $1, $2, $3, $4, $5::timestamptz at time zone 'UTC', $5::timestamptz at time zone 'UTC')`

/** A new token for an account, as 56 hexadecimal digits. Older ones stay valid: they may be the owner's, and this a stranger's. */
export async function createToken(
  database: Queryable,
  given: { accountId: string; email: string; type: TokenType; now: Date; code?: string },
): Promise<string> {
  const { accountId, email, type, now, code = newCode() } = given
  const token = tokenOf(email, code)
  await database.query({
    name: 'auth:store-one-time-token',
    text: STORE,
    values: [accountId, type, storedForm(token), email, now],
  })
  return token
}

/**
 * Locks the account first, as every other change of an account and its tokens does. The token of an invitation is as old as the
 * invitation, and lasts longer than others.
 */
const TAKE = `
  with owner as (
    select u.* from auth.one_time_tokens t join auth.users u on u.id = t.user_id
    where t.token_hash = $1 and t.token_type = any ($2::auth.one_time_token_type[])
    for no key update of u
  ), taken as (
    delete from auth.one_time_tokens t using owner
    where t.user_id = owner.id and t.token_hash = $1 and t.token_type = any ($2::auth.one_time_token_type[])
    returning t.user_id, t.created_at + make_interval(
      secs => case
        when t.token_type = 'confirmation_token' and t.created_at = owner.invited_at at time zone 'UTC' then $5::float8
        else $3
      end
    ) > $4::timestamptz at time zone 'UTC' as is_valid
  )
  select ${ACCOUNT} from taken join owner u on u.id = taken.user_id where taken.is_valid`

/**
 * Consumes a link's token, inside the caller's transaction. Resolves to its account, or to null when there is no such
 * token or it has expired.
 */
export async function takeToken(
  transaction: Queryable,
  { type, token, now }: { type: LinkType; token: string; now: Date },
): Promise<Account | null> {
  return queryAccount(transaction, {
    name: 'auth:take-one-time-token',
    text: TAKE,
    values: [storedForm(token), TOKEN_TYPES[type], LINK_LIFETIME, now, INVITATION_LIFETIME],
  })
}

/** The URL of an emailed link. */
export function linkTo(
  { config }: Pick<AuthServices, 'config'>,
  { token, type, redirectTo }: { token: string; type: LinkType; redirectTo: string },
): string {
  return `${authUrl(config)}/verify?token=${token}&type=${type}&redirect_to=${encodeURIComponent(redirectTo)}`
}

/** Not after a new password has removed it (user.ts). */
const MARK_CONFIRMATION = `
  update auth.users set confirmation_sent_at = $2, updated_at = $2 where id = $1 and email_confirmed_at is null`
/** Another invitation is void then. */
const MARK_INVITATION = `
  with void_links as (
    delete from auth.one_time_tokens
    where user_id = $1 and token_type = 'confirmation_token' and created_at <> $2::timestamptz at time zone 'UTC'
  )
  update auth.users set invited_at = $2, confirmation_sent_at = $2, updated_at = $2 where id = $1`
const MARK_RECOVERY = 'update auth.users set recovery_sent_at = $2, updated_at = $2 where id = $1'

interface SignInLink {
  token: TokenType
  template: LinkEmail
  mark: string
  failure: string
}

/** The links that are sent to an address to sign its owner in. */
const SIGN_IN_LINKS: Record<'signup' | 'invite' | 'recovery', SignInLink> = {
  signup: {
    token: 'confirmation_token',
    template: confirmationEmail,
    mark: MARK_CONFIRMATION,
    failure: 'Error sending confirmation email',
  },
  invite: {
    token: 'confirmation_token',
    template: invitationEmail,
    mark: MARK_INVITATION,
    failure: 'Error sending invite email',
  },
  recovery: {
    token: 'recovery_token',
    template: recoveryEmail,
    mark: MARK_RECOVERY,
    failure: 'Error sending recovery email',
  },
}

/** An email that was counted and is to be sent. */
interface EmailRequest {
  type: 'signup' | 'recovery'
  /** The address. */
  email: string
  counted: CountedEmail
}

/**
 * Emails a link that works once. Its token is stored before the email is sent: if the mail server accepts the email but
 * its response is lost, the link still works.
 * Throws 500 when it could not be sent; the user may then try again immediately.
 */
export async function emailLink(
  services: AuthServices,
  given: EmailRequest & { account: Account; redirectTo: string },
): Promise<void> {
  const { pool, clock, config, mailer } = services
  const { account, email, type, redirectTo, counted } = given
  const { template, mark, failure, token: tokenType } = SIGN_IN_LINKS[type]
  const now = clock.now()
  const token = await createToken(pool, { accountId: account.id, email, type: tokenType, now })
  const link = linkTo(services, { token, type, redirectTo })
  await attemptEmail({ counted, failure }, async () =>
    mailer.send(template({ to: email, product: config.productName, link })),
  )
  await pool.query({ name: `auth:mark-${type}`, text: mark, values: [account.id, now] })
}

/** A link that signs in. */
type SignInLinkType = keyof typeof SIGN_IN_LINKS

/** A link that whoever runs the server has made. */
export interface MadeLink {
  link: string
  /** The token in it, and the code that the token was made from. */
  token: string
  code: string
}

/** Makes a link without sending it, inside the transaction that has locked the account. */
export async function makeLink(
  { clock, config }: Pick<AuthServices, 'clock' | 'config'>,
  transaction: Queryable,
  given: { account: Account; type: SignInLinkType | 'magiclink'; redirectTo: string },
): Promise<MadeLink> {
  const { account, type, redirectTo } = given
  const { token: tokenType, mark } = SIGN_IN_LINKS[type === 'magiclink' ? 'recovery' : type]
  const code = newCode()
  const now = clock.now()
  const email = account.email ?? ''
  const token = await createToken(transaction, { accountId: account.id, email, type: tokenType, now, code })
  await transaction.query({ name: `auth:mark-${type}`, text: mark, values: [account.id, now] })
  return { link: linkTo({ config }, { token, type, redirectTo }), token, code }
}

/** Emails a link that `makeLink` has made. Throws 500 when it could not be sent. */
export async function sendMadeLink(
  { config, mailer }: Pick<AuthServices, 'config' | 'mailer'>,
  { email, type, link }: { email: string; type: SignInLinkType; link: string },
): Promise<void> {
  const { template, failure } = SIGN_IN_LINKS[type]
  await attemptEmail({ counted: NOT_COUNTED, failure }, () =>
    mailer.send(template({ to: email, product: config.productName, link })),
  )
}

/** An email that no limit applies to. */
const NOT_COUNTED = { refund: async () => {} }

/** Tells the owner of an account that someone tried to sign up with its address. Throws as `emailLink` does. */
export async function emailExistingAccount(
  { config, mailer }: AuthServices,
  { email: to, type, counted }: EmailRequest,
): Promise<void> {
  await attemptEmail({ counted, failure: SIGN_IN_LINKS[type].failure }, async () =>
    mailer.send(existingAccountEmail({ to, product: config.productName, link: `${config.siteUrl}/` })),
  )
}

/**
 * Emails a link after the response if there is an account, so that neither the response nor the time it takes reveals
 * whether there is. A failure is logged, and does not count: the user may try again immediately.
 */
export function emailLinkLater(
  services: AuthServices,
  log: FastifyBaseLogger,
  given: EmailRequest & { account: Account | null; redirectTo: string },
): void {
  const { account } = given
  services.background.start(async () => {
    try {
      if (account === null) await given.counted.refundTotal()
      else await emailLink(services, { ...given, account })
    } catch (error) {
      log.error({ err: error instanceof ApiError ? error.cause : error }, 'an email could not be sent')
    }
  })
}

/** Sends an email that was counted. If that fails, counts it no longer and throws 500 with the message `failure`. */
export async function attemptEmail(
  { counted, failure }: { counted: Pick<CountedEmail, 'refund'>; failure: string },
  send: () => Promise<unknown>,
): Promise<void> {
  try {
    await send()
  } catch (cause) {
    await counted.refund()
    throw new ApiError(500, 'unexpected_failure', failure, { cause })
  }
}
