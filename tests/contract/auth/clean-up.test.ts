// What the server removes by itself, and what it must keep.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanUp } from '#server/auth/clean-up.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { refresh, sessionOf, signUp } from './auth-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

const DAY = 86_400

async function rowsOf(query: string): Promise<number> {
  const { rows } = await server.database.pool.query<{ rows: number }>(
    `select count(*)::int as rows from ${query}`,
  )
  return rows[0]?.rows ?? -1
}

it('revoked refresh tokens go after a day, all but the parent of the active one', async () => {
  let session = await signUp(server, 'ruth@example.com')
  const used: string[] = []
  for (let count = 0; count < 5; count += 1) {
    used.push(session.refresh_token)
    session = sessionOf(await refresh(server, session.refresh_token))
  }
  await cleanUp(server.services)
  expect(await rowsOf('auth.refresh_tokens')).toBe(6)
  server.clock.advance(2 * DAY)
  await cleanUp(server.services)
  expect(await rowsOf('auth.refresh_tokens')).toBe(2)
  expect(sessionOf(await refresh(server, used.at(-1) ?? '')).refresh_token).toBe(session.refresh_token)
  expect((await refresh(server, session.refresh_token)).status).toBe(200)
})

it('sessions go when nobody used them for a year', async () => {
  await signUp(server, 'unused@example.com')
  const kept = await signUp(server, 'used@example.com')
  server.clock.advance(200 * DAY)
  const { refresh_token: token } = sessionOf(await refresh(server, kept.refresh_token))
  server.clock.advance(200 * DAY)
  await cleanUp(server.services)
  expect(await rowsOf('auth.sessions')).toBe(1)
  expect(await rowsOf('auth.mfa_amr_claims')).toBe(1)
  expect((await refresh(server, token)).status).toBe(200)
})

it('links, sign-ins under way and quotas go when their time is over', async () => {
  const { user } = await signUp(server, 'links@example.com')
  const { pool } = server.database
  const now = server.clock.now()
  await pool.query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at)
     values (gen_random_uuid(), $1, 'recovery_token', 'x', 'x', $2::timestamptz at time zone 'UTC')`,
    [user.id, now],
  )
  await pool.query(
    `insert into auth.flow_state (id, provider_type, authentication_method, created_at)
     values (gen_random_uuid(), 'x', 'oauth', $1)`,
    [now],
  )
  await pool.query(
    "insert into auth.oauth_client_states (id, provider_type, created_at) values (gen_random_uuid(), 'x', $1)",
    [now],
  )
  const all = async () =>
    Promise.all(
      ['auth.one_time_tokens', 'auth.flow_state', 'auth.oauth_client_states'].map(async (table) =>
        rowsOf(table),
      ),
    )
  await cleanUp(server.services)
  expect(await all()).toEqual([1, 1, 1])
  server.clock.advance(361)
  await cleanUp(server.services)
  expect(await all()).toEqual([1, 0, 0])
  expect(await rowsOf('intercede.rate_limits')).toBeGreaterThan(0)
  server.clock.advance(8 * DAY)
  await cleanUp(server.services)
  expect(await all()).toEqual([0, 0, 0])
  expect(await rowsOf('intercede.rate_limits')).toBe(0)
})
