import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { LINK_LIFETIME } from './links/one-time-token.ts'
import { clearOutbox } from './mail/clear-outbox.ts'
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
/** Somebody's address that somebody else may have typed. */
const UNCONFIRMED = 30 * DAY
/** Until then whoever runs the server may pass it on, and be told that its link expired. */
const UNSENT_MAIL = DAY
/** Rows that go at once, as the statements say: so few that no request waits for them. */
const BITE = 1000
/** Most bites of a chore in one go; what is left waits for the next. */
const BITES = 100

/** What can go, with how many seconds after its time. */
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
    // Nobody ever proved that the address is theirs, so nobody signed in, and nothing of theirs can be lost.
    name: 'auth:clean-unconfirmed',
    age: UNCONFIRMED,
    text: `delete from auth.users where id in (
      select u.id from auth.users u
      where u.email_confirmed_at is null and u.phone_confirmed_at is null and u.last_sign_in_at is null
        and u.created_at < $1 and u.updated_at < $1
        and not exists (select from auth.sessions s where s.user_id = u.id)
        and not exists (select from auth.identities i where i.user_id = u.id and i.provider <> 'email')
        and not exists (select from public.categories c where c.user_id = u.id)
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
export async function cleanUp({ pool, clock, config }: Services): Promise<void> {
  const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000)
  for (const { name, text, age } of CHORES) {
    for (let bites = 0; bites < BITES; bites += 1) {
      const { rowCount } = await pool.query({ name, text, values: [ago(age)] })
      if (rowCount !== BITE) break
    }
  }
  await clearOutbox(config.dataDir, ago(UNSENT_MAIL))
}

/** Cleans up soon after the start, and then now and then for as long as the server runs. */
export function registerCleanUp(app: FastifyInstance, services: Services): void {
  const run = () => {
    cleanUp(services).catch((err: unknown) => services.logger.warn({ err }, 'clean-up failed'))
  }
  const soon = setTimeout(run, MINUTE * 1000)
  const often = setInterval(run, 10 * MINUTE * 1000)
  soon.unref()
  often.unref()
  app.addHook('onClose', async () => {
    clearTimeout(soon)
    clearInterval(often)
  })
}
