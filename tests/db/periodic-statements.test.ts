// What runs again and again must not read whole tables: an installation may have millions of users.
import { expect, it } from 'vitest'
import { cleanUp } from '#server/auth/clean-up.ts'
import { createPool } from '#server/db/pool.ts'
import { createDeliveries } from '#server/reminders/deliveries.ts'
import type { Services } from '#server/services.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { ANNA } from '#tests/support/users.ts'
import { FAMILY } from './accounts.ts'

const server = useTestServer({ now: '2026-03-01T09:00:00.000Z' })

/** 2,000 users with everything that clean-up and reminders look at, none of it due. */
const NOTHING_DUE = `
  begin;
  insert into auth.users (id, email, email_confirmed_at, email_change, email_change_sent_at, created_at, updated_at)
    select gen_random_uuid(), n || '@example.org', '2026-02-01Z',
      case when n % 10 = 0 then 'new' || n || '@example.org' else '' end, '2026-03-01Z', '2026-01-01Z', '2026-02-01Z'
    from generate_series(1, 2000) n;
  insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at)
    select gen_random_uuid(), id, 'recovery_token', id::text, '', '2026-03-01' from auth.users;
  insert into auth.flow_state (id, provider_type, authentication_method, created_at)
    select gen_random_uuid(), 'x', 'oauth', '2026-03-01 09:00Z' from auth.users;
  insert into auth.oauth_client_states (id, provider_type, created_at)
    select gen_random_uuid(), 'x', '2026-03-01 09:00Z' from auth.users;
  insert into auth.sessions (id, user_id, created_at, updated_at)
    select gen_random_uuid(), id, '2026-01-01Z', '2026-02-01Z' from auth.users;
  -- The active token of each session, and its parent.
  insert into auth.refresh_tokens (token, user_id, revoked, updated_at, parent, session_id)
    select id || ' ' || place, user_id, place = 1, '2026-02-01Z', case place when 1 then '' else id || ' 1' end, id
    from auth.sessions, generate_series(1, 2) place;
  insert into intercede.ended_sessions (session_hash, account_hash, ended_at)
    select sha256(uuid_send(id)), sha256(uuid_send(id)), '2026-02-20Z' from auth.users;
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
    select gen_random_uuid(), id, status::text, 'totp', status, '2026-03-01Z', '2026-03-01Z'
    from auth.users, unnest(array['verified', 'unverified']::auth.factor_status[]) status;
  insert into auth.mfa_challenges (id, factor_id, created_at)
    select gen_random_uuid(), id, '2026-03-01 09:00Z' from auth.mfa_factors;
  insert into intercede.rate_limits (key, tokens, updated_at)
    select id::text, 1, '2026-03-01Z' from auth.users;
  insert into intercede.failed_sign_ins (email_hash, failures, blocked_until, updated_at)
    select id::text, 1, '2026-03-01Z', '2026-03-01Z' from auth.users;
  insert into intercede.known_networks (user_id, network_hash, last_used_at)
    select id, '', '2026-02-01Z' from auth.users;
  insert into public.reminders (user_id, remind_at, weekdays, time_zone, by_push)
    select id, '07:00', 127, 'UTC', true from auth.users;
  update public.reminders set next_at = '2026-03-02 07:00Z';
  insert into private.reminder_deliveries (reminder_id, due_at, day, try_at)
    select id, '2026-03-01 09:00Z', '2026-03-01', '2026-03-01 09:16Z' from public.reminders;
  commit;
  analyze`

/** One more user, with 2,000 prayers for every day, all prayed yesterday, and a reminder that is due. */
const MANY_PLANNED = `
  begin;
  insert into auth.users (id, email) values ('${ANNA}', 'anna@example.org');
  insert into public.categories (id, user_id, name, "order") values ('${FAMILY}', '${ANNA}', 'Family', 1);
  insert into public.prayers (user_id, category_id, person_name, pray_days, last_prayed_on)
    select '${ANNA}', '${FAMILY}', 'Person ' || n, 127, '2026-02-28' from generate_series(1, 2000) n;
  insert into auth.sessions (id, user_id) values ('${ANNA}', '${ANNA}');
  insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
    values ('${ANNA}', '${ANNA}', 'https://push.example.org/x', '', '', '2026-01-01Z');
  insert into public.reminders (user_id, remind_at, weekdays, time_zone, by_push)
    values ('${ANNA}', '08:59', 127, 'UTC', true);
  update public.reminders set next_at = '2026-03-01 08:59Z' where user_id = '${ANNA}';
  commit;
  analyze`

/** The tables of which the work reads more than a few rows: how many. */
async function readsOf(work: (services: Services) => Promise<unknown>): Promise<Record<string, number>> {
  // One connection, and so one transaction, for whose statements PostgreSQL counts what they read.
  const pool = createPool({ url: server.database.url, max: 1 })
  await pool.query('begin')
  await work({ ...server.services, pool })
  // Planning a statement reads a few rows, at the ends of indexes.
  const { rows } = await pool.query<{ name: string; read: number }>(
    `select schemaname || '.' || relname as name, (seq_tup_read + idx_tup_fetch)::int as read
     from pg_stat_xact_user_tables where seq_tup_read + idx_tup_fetch > 100 order by 1`,
  )
  await pool.query('rollback')
  await pool.end()
  return Object.fromEntries(rows.map(({ name, read }) => [name, read]))
}

it('does not read the rows that are not due', async () => {
  await server.database.pool.query(NOTHING_DUE)
  const reads = await readsOf(async (services) => {
    const deliveries = createDeliveries(services)
    await cleanUp(services)
    await deliveries.plan()
    await deliveries.claim('push', 100)
    await deliveries.claim('email', 10)
    await deliveries.nextTime()
  })
  expect(reads).toEqual({})
})

it('claims a reminder without reading the prayers of its user, and counts people until there are too many', async () => {
  await server.database.pool.query(MANY_PLANNED)
  const claiming = await readsOf(async (services) => {
    const deliveries = createDeliveries(services)
    await deliveries.plan()
    const { deliveries: claimed } = await deliveries.claim('push', 100)
    expect(claimed).toMatchObject([{ userId: ANNA }])
  })
  expect(claiming).toEqual({})
  const counting = await readsOf(async (services) => {
    expect(await createDeliveries(services).countPlanned(ANNA, '2026-03-01')).toMatchObject({ count: 501 })
  })
  expect(counting['public.prayers']).toBeLessThan(700)
})
