import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { call, createDevice, PASSWORD, signUp } from '#tests/contract/auth/auth-client.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { send } from '#tests/support/data-requests.ts'
import { openTestConnection } from '#tests/support/pgbouncer.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { expectNothingLost, expectServed, failuresOf, ROUNDS, signUpUsers, startLoad } from './load.ts'
import { query, startSite } from './site.ts'

const DATABASE_UNAVAILABLE = {
  code: 'PGRST000',
  message: 'Database connection error. Retrying the connection.',
  details: null,
  hint: null,
}

describe('connections that are terminated', () => {
  let server: TestServer

  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())

  /** Sends a request that waits for the table, and terminates its connection. */
  async function whileLocked<Response>(table: string, request: () => Promise<Response>): Promise<Response> {
    const holder = await server.database.pool.connect()
    await holder.query(`begin; lock table ${table} in share mode`)
    const response = request()
    const terminate = () =>
      query(
        server.database.url,
        `select pg_terminate_backend(pid) as terminated from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    await expect.poll(terminate).toEqual([{ terminated: true }])
    await response
    await holder.query('commit')
    holder.release()
    return response
  }

  it('during a change roll it back, and the next request succeeds', async () => {
    const { access_token: token } = await signUp(server, 'anna@example.org')
    const body = { name: 'Family', order: 1 }
    const add = () => send(server, '/categories', { method: 'POST', token, body })
    const response = await whileLocked('public.categories', add)
    expect(response.status).toBe(503)
    expect(response.json()).toEqual(DATABASE_UNAVAILABLE)
    expect((await send(server, '/categories', { token })).json()).toEqual([])
    expect((await add()).status).toBe(201)
  })

  it('during a sign-up leave no incomplete account, and the next attempt succeeds', async () => {
    const body = { email: 'ben@example.org', password: PASSWORD }
    const attempt = () => call(server, 'POST', '/signup', { body })
    const response = await whileLocked('auth.sessions', attempt)
    expect(response).toMatchObject({ status: 503, body: { code: 'unexpected_failure' } })
    expect((await server.database.pool.query('select id from auth.users')).rows).toEqual([])
    expect((await attempt()).status).toBe(200)
  })

  it('repeatedly and all at once under load lose no acknowledged change', async () => {
    const users = await signUpUsers(server, ['anna', 'ben', 'carl'])
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      const load = startLoad(server, users)
      await load.reach(30)
      await query(
        server.database.url,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      await load.stop()
      await expectServed(server, users)
      await expectNothingLost(server, users)
    }
    expect([503]).toEqual(expect.arrayContaining(failuresOf(users)))
  })
})

it('a database that is restarted causes a clear error, and the same server reconnects with everyone still signed in', async () => {
  const folder = await makeDataFolder()
  let postgres = await startEmbeddedPostgres({ dataDir: folder })
  const connection = await openTestConnection(postgres.url)
  const site = await startSite({ DATA_DIR: folder, ...connection.env }, postgres.url)
  const device = createDevice(site)
  const { data } = await device.signUp({ email: 'anna@example.org', password: PASSWORD })
  const token = data.session?.access_token ?? ''
  await send(site, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })

  await postgres.stop()
  const failed = await send(site, '/categories', { token })
  expect(failed.status).toBe(503)
  expect(failed.json()).toEqual(DATABASE_UNAVAILABLE)
  expect(await call(site, 'GET', '/user', { token })).toMatchObject({
    status: 503,
    body: { code: 'unexpected_failure' },
  })
  // auth-js retries for a while, which does not pass before the database is back, and keeps the session until then.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let isRefreshed = false
  const refreshing = device.refreshSession().finally(() => {
    isRefreshed = true
  })

  postgres = await startEmbeddedPostgres({ dataDir: folder })
  const retry = () => {
    vi.advanceTimersByTime(50)
    return isRefreshed
  }
  await expect.poll(retry).toBe(true)
  vi.useRealTimers()
  expect((await refreshing).error).toBeNull()
  // A pooler waits a little before it tries to connect again.
  const found = async (): Promise<unknown> => (await send(site, '/categories?select=name', { token })).json()
  await expect.poll(found).toEqual([{ name: 'Family' }])
  expect(await site.process.end('SIGTERM')).toBe(0)
  await connection.close()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})
