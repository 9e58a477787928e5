import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { LINK_LIFETIME } from './links/one-time-token.ts'
import { STATE_LIFETIME } from './x/sign-in-state.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
/** Long enough for whoever opens an old link to be told that it expired. */
const PAST_ITS_TIME = 7 * DAY
/** A session that nobody has used for a year has no device any more. */
const UNUSED_SESSION = 365 * DAY
/** GoTrue internal/models/cleanup.go keeps revoked tokens as long, to recognise stolen ones. */
const REVOKED_TOKEN = DAY
/** Every quota is full again by then. */
const IDLE_QUOTA = DAY

/** What can go, with how many seconds after its time. Small bites, so that no request waits for them. */
const CHORES: readonly { name: string; text: string; age: number }[] = [
  {
    name: 'auth:clean-links',
    age: LINK_LIFETIME + PAST_ITS_TIME,
    text: `delete from auth.one_time_tokens where id in (
      select id from auth.one_time_tokens where created_at < $1::timestamptz at time zone 'UTC'
      limit 1000 for update skip locked)`,
  },
  {
    name: 'auth:clean-flows',
    age: STATE_LIFETIME + MINUTE,
    text: `delete from auth.flow_state where id in (
      select id from auth.flow_state where created_at < $1 limit 1000 for update skip locked)`,
  },
  {
    name: 'auth:clean-verifiers',
    age: STATE_LIFETIME + MINUTE,
    text: `delete from auth.oauth_client_states where id in (
      select id from auth.oauth_client_states where created_at < $1 limit 1000 for update skip locked)`,
  },
  {
    // The parent of an active token stays: its client may never have received the answer.
    name: 'auth:clean-refresh-tokens',
    age: REVOKED_TOKEN,
    text: `delete from auth.refresh_tokens where id in (
      select t.id from auth.refresh_tokens t
      where t.revoked and t.updated_at < $1 and not exists (
        select from auth.refresh_tokens child where child.parent = t.token and not child.revoked
      ) limit 1000 for update skip locked)`,
  },
  {
    name: 'auth:clean-sessions',
    age: UNUSED_SESSION,
    text: `delete from auth.sessions where id in (
      select id from auth.sessions where updated_at < $1 or not_after < $1
      limit 1000 for update skip locked)`,
  },
  {
    name: 'auth:clean-quotas',
    age: IDLE_QUOTA,
    text: `delete from intercede.rate_limits where key in (
      select key from intercede.rate_limits where updated_at < $1 limit 1000 for update skip locked)`,
  },
]

/** Removes what no longer means anything. Any number of servers may do it at once. */
export async function cleanUp({ pool, clock }: Services): Promise<void> {
  for (const { name, text, age } of CHORES) {
    const before = new Date(clock.now().getTime() - age * 1000)
    await pool.query({ name, text, values: [before] })
  }
}

/** Cleans up now and then for as long as the server runs. */
export function registerCleanUp(app: FastifyInstance, services: Services): void {
  const run = () => {
    cleanUp(services).catch((err: unknown) => services.logger.warn({ err }, 'clean-up failed'))
  }
  const timer = setInterval(run, 10 * MINUTE * 1000)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
