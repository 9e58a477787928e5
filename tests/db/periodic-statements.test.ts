// What runs again and again must not read whole tables: an installation may have millions of users.
import { expect, it } from 'vitest'
import { cleanUp } from '#server/auth/clean-up.ts'
import { createPool } from '#server/db/pool.ts'
import { createDeliveries } from '#server/reminders/deliveries.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

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

it('does not read the rows that are not due', async () => {
  await server.database.pool.query(NOTHING_DUE)
  // One connection, and so one transaction, for whose statements PostgreSQL counts what they read.
  const pool = createPool({ url: server.database.url, max: 1 })
  const services = { ...server.services, pool }
  const deliveries = createDeliveries(services)
  await pool.query('begin')
  await cleanUp(services)
  await deliveries.plan()
  await deliveries.claim('push', 100)
  await deliveries.claim('email', 10)
  await deliveries.nextTime()
  // Planning a statement reads a few rows, at the ends of indexes.
  const { rows } = await pool.query<{ name: string; read: number }>(
    `select schemaname || '.' || relname as name, (seq_tup_read + idx_tup_fetch)::int as read
     from pg_stat_xact_user_tables where seq_tup_read + idx_tup_fetch > 100 order by 1`,
  )
  await pool.query('rollback')
  await pool.end()
  expect(rows).toEqual([])
})
