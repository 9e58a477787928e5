import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import { checkNewPassword, checkUserMetadata, parseEmailAddress } from './account-rules.ts'
import { findAccount, type Account, type Metadata } from './account.ts'
import {
  createAccount,
  deleteAccount,
  listAccounts,
  removeUnverifiedFactor,
  updateAccount,
} from './account-administration.ts'
import { makeEmailChangeLink, makeSignInLink } from './administration-links.ts'
import { userNotFound } from './administration-log.ts'
import type { AuthServices } from './auth-services.ts'
import { sendMadeLink, type MadeLink } from './one-time-links.ts'
import { redirectTarget } from './redirect-targets.ts'
import { optionalObject, optionalText, parseBody, text, textFields, Uuid } from './request-body.ts'
import { factorWithId } from './factors/second-factor.ts'
import { requireServiceKey } from './service-key.ts'
import { renderUser, renderFactor, type UserJson } from './user-json.ts'

const BY = 'service key'

/**
 * The admin API, for programs that have the service key: accounts under /admin/users, POST /invite and POST /admin/generate_link.
 * supabase/auth internal/api/admin.go, invite.go and mail.go. Everything is recorded (administration-log.ts).
 *
 * Unlike there, the key does not turn two-factor sign-in off, and an account keeps its role: the data API knows only one.
 */
export function registerAdmin(app: FastifyInstance, services: AuthServices): void {
  const onRequest = (request: FastifyRequest) => requireServiceKey(request, services)
  app.get('/admin/users', { onRequest }, (request, reply) => listUsers(request, reply, services))
  app.post('/admin/users', { onRequest }, async (request) =>
    renderUser(await createAccount(services, BY, await parseNewUser(request, services))),
  )
  app.get('/admin/users/:id', { onRequest }, async (request) =>
    renderUser(await requireUser(request, services)),
  )
  app.put('/admin/users/:id', { onRequest }, async (request) => {
    const { id } = await requireUser(request, services)
    return renderUser(await updateAccount(services, BY, { id, ...(await parseChanges(request, services)) }))
  })
  app.delete('/admin/users/:id', { onRequest }, async (request) => {
    const { id } = await requireUser(request, services)
    const { should_soft_delete: isSoft } = parseBody({ body: request.body ?? {} }, Deletion)
    if (isSoft) throw unsupported('should_soft_delete')
    await deleteAccount(services, BY, id)
    return {}
  })
  app.get('/admin/users/:id/factors', { onRequest }, async (request) =>
    (await requireUser(request, services)).factors.map(renderFactor),
  )
  app.delete('/admin/users/:id/factors/:factor', { onRequest }, async (request) => {
    const account = await requireUser(request, services)
    const factor = factorWithId(textFields(request.params).get('factor') ?? '', account)
    if (factor.status === 'verified') throw new ApiError(403, 'not_admin', TWO_FACTOR_STAYS)
    await removeUnverifiedFactor(services, BY, { id: account.id, factorId: factor.id })
    return renderFactor(factor)
  })
  app.post('/invite', { onRequest }, async (request) => {
    const { email: given, data } = parseBody(request, Invitation)
    const email = parseEmailAddress(given)
    const toMake = { type: 'invite', email, ...parseNewAccount({ data }) } as const
    const redirectTo = redirectTarget(request, services.config)
    const made = await makeSignInLink(services, { action: 'invite', by: BY }, { ...toMake, redirectTo })
    await sendMadeLink(services, { type: 'invite', email, link: made.link })
    return renderUser(made.account)
  })
  app.post('/admin/generate_link', { onRequest }, (request) => generateLink(request, services))
}

const TWO_FACTOR_STAYS =
  'The service key does not turn two-factor sign-in off. Use: npm run accounts -- remove-two-factor'

/** The account that the URL names. Throws `user_not_found`. supabase/auth internal/api/admin.go loadUser. */
async function requireUser({ params }: FastifyRequest, { pool }: AuthServices): Promise<Account> {
  const id = textFields(params).get('id')
  if (!v.is(Uuid, id)) throw new ApiError(404, 'validation_failed', 'user_id must be an UUID')
  const account = await findAccount(pool, id)
  if (account === null) throw userNotFound()
  return account
}

const DEFAULT_PER_PAGE = 50
/** GoTrue has no limit. */
const MAX_PER_PAGE = 1000

/** supabase/auth internal/api/pagination.go. The first parameter of the links is the page, which auth-js looks for there. */
async function listUsers(
  request: FastifyRequest,
  reply: FastifyReply,
  { pool }: AuthServices,
): Promise<{ users: UserJson[]; aud: string }> {
  const query = textFields(request.query)
  const page = parseNumber(query.get('page'), 1)
  const perPage = Math.min(parseNumber(query.get('per_page'), DEFAULT_PER_PAGE), MAX_PER_PAGE)
  const filter = query.get('filter') ?? ''
  const { listed, total } = await listAccounts(pool, { filter, page, perPage })
  const pages = Math.ceil(total / perPage)
  const linkTo = (number: number, rel: string) => {
    const parameters = new URLSearchParams({ page: String(number), per_page: String(perPage) })
    if (filter !== '') parameters.set('filter', filter)
    return `</admin/users?${parameters.toString()}>; rel="${rel}"`
  }
  const next = pages > page ? [linkTo(page + 1, 'next')] : []
  void reply.header('link', [...next, linkTo(pages, 'last')].join(', ')).header('x-total-count', total)
  return { users: listed.map(({ account }) => renderUser(account)), aud: 'authenticated' }
}

function parseNumber(given: string | null, whenMissing: number): number {
  if (given === null || given === '') return whenMissing
  if (/^\d{1,9}$/.test(given)) return Math.max(1, Number(given))
  throw validationFailed(`Bad Pagination Parameters: ${JSON.stringify(given)} is not a number`)
}

const flag = v.nullish(v.boolean('must be true or false'), false)
const Deletion = v.object({ should_soft_delete: flag })
const Invitation = v.object({ email: text, data: optionalObject })
const User = v.object({
  id: text,
  role: text,
  email: text,
  phone: text,
  password: optionalText,
  password_hash: text,
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: optionalObject,
  app_metadata: optionalObject,
  ban_duration: text,
})
type UserFields = v.InferOutput<typeof User>

const DEFAULT_ROLE = 'authenticated'

/** What this server lacks is refused, so that nobody relies on it. */
function parseUser(request: FastifyRequest): UserFields {
  const fields = parseBody(request, User)
  if (fields.phone !== '' || fields.phone_confirm)
    throw new ApiError(400, 'phone_provider_disabled', 'Phone numbers are not supported')
  if (fields.password_hash !== '') throw unsupported('password_hash')
  if (fields.role !== '' && fields.role !== DEFAULT_ROLE) throw unsupported('role')
  return fields
}

async function parseNewUser(request: FastifyRequest, { passwords, clock }: AuthServices) {
  const fields = parseUser(request)
  const { id, email, password, user_metadata: userMetadata, app_metadata: appMetadata } = fields
  if (email === '') throw validationFailed('Cannot create a user without either an email or phone')
  if (id !== '' && !v.is(Uuid, id)) throw validationFailed('ID must conform to the uuid v4 format')
  checkMetadata(userMetadata, appMetadata)
  if (password) checkNewPassword(password)
  return {
    id: id === '' ? null : id,
    email: parseEmailAddress(email),
    passwordHash: password ? await passwords.hash(password) : '',
    confirmsEmail: fields.email_confirm,
    userMetadata: userMetadata ?? {},
    appMetadata: appMetadata ?? {},
    bannedUntil: parseBan(fields.ban_duration, clock.now())?.until ?? null,
  }
}

async function parseChanges(request: FastifyRequest, { passwords, clock }: AuthServices) {
  const fields = parseUser(request)
  const { email, password, user_metadata: userMetadata, app_metadata: appMetadata } = fields
  checkMetadata(userMetadata, appMetadata)
  if (password !== null) checkNewPassword(password)
  return {
    email: email === '' ? null : parseEmailAddress(email),
    confirmsEmail: fields.email_confirm,
    passwordHash: password === null ? null : await passwords.hash(password),
    userMetadata: userMetadata ?? {},
    appMetadata: appMetadata ?? {},
    ban: parseBan(fields.ban_duration, clock.now()),
  }
}

/** Both kinds are part of every access token. */
function checkMetadata(...metadata: readonly (Metadata | null)[]): void {
  for (const given of metadata) if (given !== null) checkUserMetadata(given)
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
/** A duration of Go, such as 1.5h or 24h30m. */
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/
/** Go's longest duration, 292 years. */
const LONGEST_BAN = 2 ** 63 / 1e6

/** Null for no change; `none` ends a ban. */
function parseBan(duration: string, now: Date): { until: Date | null } | null {
  if (duration === '') return null
  if (duration === 'none' || duration === '0') return { until: null }
  if (!DURATION.test(duration))
    throw validationFailed(`invalid format for ban duration: ${JSON.stringify(duration)}`)
  const parts = Array.from(duration.matchAll(/([\d.]+)([a-zµ]+)/g))
  const milliseconds = parts.reduce(
    (sum, [, number = '', unit = '']) => sum + Number(number) * (MILLISECONDS[unit] ?? 0),
    0,
  )
  if (milliseconds > LONGEST_BAN)
    throw validationFailed(`invalid format for ban duration: ${JSON.stringify(duration)}`)
  return { until: milliseconds === 0 ? null : new Date(now.getTime() + milliseconds) }
}

const LinkRequest = v.object({
  type: text,
  email: text,
  new_email: text,
  password: text,
  data: optionalObject,
})

interface LinkJson extends UserJson {
  action_link: string
  email_otp: string
  hashed_token: string
  verification_type: string
  redirect_to: string
}

/** supabase/auth internal/api/mail.go adminGenerateLink. The code for the link is as long as the link, so that nobody guesses it. */
async function generateLink(request: FastifyRequest, services: AuthServices): Promise<LinkJson> {
  const { type, email: given, new_email: newEmail, password, data } = parseBody(request, LinkRequest)
  const email = parseEmailAddress(given)
  const redirectTo = redirectTarget(request, services.config)
  const recorded = { action: 'make-link', by: BY } as const
  const render = (made: MadeLink & { account: Account; type: string }): LinkJson => ({
    ...renderUser(made.account),
    action_link: made.link,
    email_otp: made.code,
    hashed_token: made.token,
    verification_type: made.type,
    redirect_to: redirectTo,
  })
  switch (type) {
    case 'signup': {
      if (password === '') throw validationFailed('Signup requires a valid password')
      checkNewPassword(password)
      const account = parseNewAccount({ data })
      const passwordHash = await services.passwords.hash(password)
      return render(
        await makeSignInLink(services, recorded, { type, email, redirectTo, ...account, passwordHash }),
      )
    }
    case 'invite':
    case 'recovery':
    case 'magiclink':
      return render(
        await makeSignInLink(services, recorded, { type, email, redirectTo, ...parseNewAccount({ data }) }),
      )
    case 'email_change_current':
    case 'email_change_new': {
      const change = { type, email, newEmail: parseEmailAddress(newEmail), redirectTo }
      return render(await makeEmailChangeLink(services, recorded, change))
    }
    default:
      throw validationFailed(`Invalid email action link type requested: ${type}`)
  }
}

function parseNewAccount({ data }: { data: Metadata | null }): {
  passwordHash: string
  userMetadata: Metadata
} {
  checkMetadata(data)
  return { passwordHash: '', userMetadata: data ?? {} }
}

function unsupported(field: string): ApiError {
  return validationFailed(`Not supported by this server: ${field}`)
}
