import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { NO_EMAIL_CHANGE } from './account.ts'
import { CHALLENGE_LIFETIME } from './factors/challenge-factor.ts'
import { clearOutbox } from '../mail/mailers.ts'
import { STATE_LIFETIME } from './oauth-state.ts'
import { INVITATION_LIFETIME, LINK_LIFETIME } from './one-time-links.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
/** Keeps expired links long enough that a user who opens an old one sees that it has expired. */
const EXPIRED_LINK = 7 * DAY
const UNUSED_SESSION = 365 * DAY
/** By then, devices have noticed; what they have kept of a lost session is deleted after this time too. */
const ENDED_SESSION = 30 * DAY
/** GoTrue internal/models/cleanup.go keeps revoked tokens this long too, to recognise stolen ones. */
const REVOKED_TOKEN = DAY
/** Every quota is full again by then. */
const IDLE_QUOTA = DAY
/** The address may have been typed by someone other than its owner. */
const UNCONFIRMED_ACCOUNT = 30 * DAY
/** What whoever runs the server has done to accounts. */
const RECORDED_ACTION = 365 * DAY
/** GoTrue internal/models/cleanup.go keeps them this long too. */
const UNVERIFIED_FACTOR = DAY
/** Until then the operator may pass the email on; its link has expired, but the app explains that. */
const OUTBOX_EMAIL = DAY
/** Rows deleted by one statement: few enough that no request has to wait for it. */
const BATCH_SIZE = 1000
/** Batches per task and run; the rest waits for the next run. */
const MAX_BATCHES = 100

/** What is deleted, and the age in seconds from which on. */
const TASKS: readonly { name: string; text: string; age: number }[] = [
  {
    name: 'auth:clean-links',
    age: LINK_LIFETIME + EXPIRED_LINK,
    text: `delete from auth.one_time_tokens where id in (
      select id from auth.one_time_tokens where created_at < $1::timestamptz at time zone 'UTC'
      limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-email-changes',
    age: LINK_LIFETIME + EXPIRED_LINK,
    text: `update auth.users set ${NO_EMAIL_CHANGE} where id in (
      select id from auth.users where email_change <> '' and email_change_sent_at < $1 limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-flows',
    age: STATE_LIFETIME + MINUTE,
    text: `delete from auth.flow_state where id in (
      select id from auth.flow_state where created_at < $1 limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-verifiers',
    age: STATE_LIFETIME + MINUTE,
    text: `delete from auth.oauth_client_states where id in (
      select id from auth.oauth_client_states where created_at < $1 limit $2 for update skip locked)`,
  },
  {
    // The parent of an active token stays: its client may not have received the response with its successor. One that has stayed for
    // a week is not looked at again: it goes with the next exchange, or with the session.
    name: 'auth:clean-refresh-tokens',
    age: REVOKED_TOKEN,
    text: `delete from auth.refresh_tokens where id in (
      select t.id from auth.refresh_tokens t
      where t.revoked and t.updated_at < $1 and t.updated_at > $1::timestamptz - interval '7 days' and not exists (
        select from auth.refresh_tokens child where child.parent = t.token and not child.revoked
      ) limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-unused-tokens',
    age: UNUSED_SESSION,
    text: `delete from auth.refresh_tokens where id in (
      select t.id from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
      where s.updated_at < $1 limit $2 for update of t skip locked)`,
  },
  {
    // Deleted with its tokens, a session would count as ended on purpose.
    name: 'auth:clean-sessions',
    age: UNUSED_SESSION,
    text: `delete from auth.sessions where id in (
      select s.id from auth.sessions s
      where s.updated_at < $1 and not exists (select from auth.refresh_tokens t where t.session_id = s.id)
      limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-ended-sessions',
    age: ENDED_SESSION,
    text: `delete from intercede.ended_sessions where session_hash in (
      select session_hash from intercede.ended_sessions where ended_at < $1 limit $2 for update skip locked)`,
  },
  { name: 'auth:clean-unconfirmed', age: UNCONFIRMED_ACCOUNT, text: deleteUnconfirmed('true') },
  {
    name: 'auth:clean-invitations',
    age: INVITATION_LIFETIME,
    text: deleteUnconfirmed('u.invited_at is not null'),
  },
  {
    name: 'auth:clean-actions',
    age: RECORDED_ACTION,
    text: `delete from intercede.account_actions where id in (
      select id from intercede.account_actions where happened_at < $1 limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-challenges',
    age: CHALLENGE_LIFETIME + MINUTE,
    text: `delete from auth.mfa_challenges where id in (
      select id from auth.mfa_challenges where created_at < $1 limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-factors',
    age: UNVERIFIED_FACTOR,
    text: `delete from auth.mfa_factors where id in (
      select id from auth.mfa_factors where status = 'unverified' and created_at < $1
      limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-quotas',
    age: IDLE_QUOTA,
    text: `delete from intercede.rate_limits where key in (
      select key from intercede.rate_limits where updated_at < $1 limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-failed-sign-ins',
    age: IDLE_QUOTA,
    text: `delete from intercede.failed_sign_ins where email_hash in (
      select email_hash from intercede.failed_sign_ins where updated_at < $1 limit $2 for update skip locked)`,
  },
  {
    name: 'auth:clean-networks',
    age: UNUSED_SESSION,
    text: `delete from intercede.known_networks where (user_id, network_hash) in (
      select user_id, network_hash from intercede.known_networks where last_used_at < $1
      limit $2 for update skip locked)`,
  },
]

/** No one has ever signed in to such an account, so no data can be lost. */
function deleteUnconfirmed(condition: string): string {
  return `delete from auth.users where id in (
    select u.id from auth.users u
    where u.email_confirmed_at is null and u.phone_confirmed_at is null and u.last_sign_in_at is null
      and u.created_at < $1 and u.updated_at < $1 and ${condition}
      and not exists (select from auth.sessions s where s.user_id = u.id)
      and not exists (select from auth.identities i where i.user_id = u.id and i.provider <> 'email')
      and not exists (select from public.categories c where c.user_id = u.id)
    limit $2 for update skip locked)`
}

/** Deletes rows and files that are no longer needed. Several servers may do so concurrently. */
export async function cleanUp({ pool, clock, config }: Services): Promise<void> {
  const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000)
  for (const { name, text, age } of TASKS) {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const { rowCount } = await pool.query({ name, text, values: [ago(age), BATCH_SIZE] })
      if (rowCount !== BATCH_SIZE) break
    }
  }
  await clearOutbox(config.dataDir, ago(OUTBOX_EMAIL))
}

/** Cleans up a minute after the start, and then every ten minutes until the server closes. */
export function scheduleCleanUp(app: FastifyInstance, services: Services): void {
  const run = () => {
    cleanUp(services).catch((err: unknown) => services.logger.warn({ err }, 'clean-up failed'))
  }
  const first = setTimeout(run, MINUTE * 1000)
  const repeated = setInterval(run, 10 * MINUTE * 1000)
  first.unref()
  repeated.unref()
  app.addHook('onClose', async () => {
    clearTimeout(first)
    clearInterval(repeated)
  })
}
