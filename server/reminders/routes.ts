import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import type { Queryable } from '../auth/account.ts'
import { changeAccount, type Requirements } from '../auth/account-change.ts'
import { type Bearer, requireBearer } from '../auth/bearer.ts'
import { countRequests, createRateLimits } from '../auth/rate-limits.ts'
import { registerBodyParsers, textFields } from '../auth/request-body.ts'
import { requireSecondFactor, requireSessionId } from '../auth/factors/second-factor.ts'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import { type LinkSubject, readLinkToken } from './link-token.ts'
import { turnOffPage } from './messages.ts'
import { isPushService } from './push.ts'

/** Serves /reminders/v1, to a scope that `http/api-gateway.ts` has prepared. Errors have the shape of the auth API. */
export function registerReminderRoutes(scope: FastifyInstance, services: Services): void {
  registerBodyParsers(scope)
  registerSubscription(scope, services)
  registerLinks(scope, services)
}

const ENDPOINT_MAX_LENGTH = 1000
/** An uncompressed point of P-256 (65 bytes) and 16 random bytes (RFC 8291, section 3.1). */
const P256DH = /^B[\w-]{86}=?$/
const AUTH = /^[\w-]{22}(?:==)?$/

/** A browser's PushSubscription as JSON. */
const Body = v.object({
  endpoint: v.pipe(
    v.string(),
    // In its normal form, as browsers send it: without anything that the database could not store.
    v.check((text) => URL.canParse(text) && new URL(text).href === text),
    v.maxLength(ENDPOINT_MAX_LENGTH),
  ),
  keys: v.object({ p256dh: v.pipe(v.string(), v.regex(P256DH)), auth: v.pipe(v.string(), v.regex(AUTH)) }),
})

const REQUIREMENTS = {
  secondFactor: [403, 'AAL2 required to receive notifications'],
  proof: null,
} satisfies Requirements

/** Subscriptions of one account; beyond that, the oldest ends. */
const MAX_SUBSCRIPTIONS = 20

const READ = `
  select max(endpoint) filter (where session_id = $2) as endpoint, count(*)::integer as devices
  from private.push_subscriptions where user_id = $1`
/** The endpoint may be another user's, who used the browser before and whose session has not ended. The same subscription stays. */
const REMOVE_FORMER = `
  delete from private.push_subscriptions
  where (session_id = $1 or endpoint = $2) and (session_id, endpoint, p256dh, auth) <> ($1, $2, $3, $4)`
const ADD = `
  insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
  select user_id, id, $2, $3, $4, $5 from auth.sessions where id = $1
  on conflict do nothing`
const REMOVE_EXCESS = `
  delete from private.push_subscriptions where id in (
    select id from private.push_subscriptions where user_id = $1
    order by created_at desc, id offset ${String(MAX_SUBSCRIPTIONS)}
  )`
const REMOVE = 'delete from private.push_subscriptions where user_id = $1 and session_id = $2'

interface Caller {
  bearer: Bearer
  userId: string
  sessionId: string
}

/** GET, PUT and DELETE /subscription: where push messages for the session of the caller are sent. */
function registerSubscription(scope: FastifyInstance, services: Services): void {
  const { pool, clock, config } = services
  const onRequest = countRequests({ limits: createRateLimits(services) }, 'subscription')

  async function identify(request: FastifyRequest): Promise<Caller> {
    const bearer = await requireBearer(request, services)
    const sessionId = requireSessionId(bearer)
    requireSecondFactor(bearer, ...REQUIREMENTS.secondFactor)
    return { bearer, userId: bearer.account.id, sessionId }
  }

  /** Decides again when the change is made: the session may have ended since, or two-factor sign-in have been turned on. */
  async function change({ bearer }: Caller, work: (transaction: Queryable) => Promise<void>): Promise<void> {
    // No proof is required, so any will do.
    const proof = { kind: 'recent-sign-in' } as const
    await changeAccount(services, { bearer, requirements: () => REQUIREMENTS, proof }, work)
  }

  scope.get('/subscription', { onRequest }, async (request) => {
    const { userId, sessionId } = await identify(request)
    const { rows } = await pool.query<{ endpoint: string | null; devices: number }>({
      name: 'reminders:read-subscription',
      text: READ,
      values: [userId, sessionId],
    })
    return rows[0]
  })

  scope.put('/subscription', { onRequest }, async (request, reply) => {
    const caller = await identify(request)
    const { endpoint, keys } = parseSubscription(request)
    if (!isPushService(config, endpoint)) {
      const message = 'Notifications of this browser are not supported by this server.'
      throw new ApiError(422, 'push_service_not_allowed', message)
    }
    const subscription = [caller.sessionId, endpoint, keys.p256dh, keys.auth]
    await change(caller, async (transaction) => {
      await transaction.query({ text: REMOVE_FORMER, values: subscription })
      await transaction.query({ text: ADD, values: [...subscription, clock.now()] })
      await transaction.query({ text: REMOVE_EXCESS, values: [caller.userId] })
    })
    return reply.code(204).send()
  })

  scope.delete('/subscription', { onRequest }, async (request, reply) => {
    const caller = await identify(request)
    await change(caller, async (transaction) => {
      await transaction.query({ text: REMOVE, values: [caller.userId, caller.sessionId] })
    })
    return reply.code(204).send()
  })
}

function parseSubscription({ body }: FastifyRequest): v.InferOutput<typeof Body> {
  const result = v.safeParse(Body, body)
  if (result.success) return result.output
  const field = v.getDotPath(result.issues[0])
  const message = `A push subscription is required${field === null ? '' : `: "${field}" is not valid`}`
  throw validationFailed(message)
}

/** What became of a reminder. */
interface Changed {
  enabled: boolean
  remind_at: string
}

const RETURNING = `returning enabled, to_char(remind_at, 'HH24:MI') as remind_at`
const TURN = `update public.reminders set enabled = $2 where id = $1 ${RETURNING}`
/** All of the user's, whatever their time zones. A link of an earlier day changes nothing. */
const SKIP = `
  with changed as (
    update public.reminders set skipped_on = greatest(skipped_on, $2)
    where user_id = (select user_id from public.reminders where id = $1)
    returning id, enabled, to_char(remind_at, 'HH24:MI') as remind_at
  )
  select enabled, remind_at from changed where id = $1`

/** POST /off, /on and /not-today, with the token of a message instead of a sign-in. Each can be repeated without harm. */
function registerLinks(scope: FastifyInstance, { pool, keys, config }: Services): void {
  const change = (
    path: string,
    statement: (subject: LinkSubject) => { text: string; values: readonly unknown[] },
  ) =>
    scope.post(path, async (request) => {
      const subject = readLinkToken(keys, tokenIn(request))
      if (subject === null) throw notFound()
      const { text, values } = statement(subject)
      const { rows } = await pool.query<Changed>({ name: `reminders:${path}`, text, values: [...values] })
      const [changed] = rows
      if (changed === undefined) throw notFound()
      return changed
    })

  change('/off', ({ reminderId }) => ({ text: TURN, values: [reminderId, false] }))
  change('/on', ({ reminderId }) => ({ text: TURN, values: [reminderId, true] }))
  change('/not-today', ({ reminderId, day }) => ({ text: SKIP, values: [reminderId, day] }))
  // Opened by mail programs that do not know of one-click links, and by scanners: only the page turns the reminder off.
  scope.get('/off', async (request, reply) => reply.redirect(turnOffPage(config, tokenIn(request)), 303))
}

function tokenIn({ query }: FastifyRequest): string {
  return textFields(query).get('token') ?? ''
}

function notFound(): ApiError {
  return new ApiError(404, 'reminder_not_found', 'This reminder no longer exists.')
}
