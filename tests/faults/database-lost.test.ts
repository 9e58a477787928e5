import { rm } from 'node:fs/promises'
import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { call, createDevice, PASSWORD, signUp } from '#tests/contract/auth/auth-client.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { send } from '#tests/support/data-requests.ts'
import { createRandom } from './random.ts'
import { signUpUser } from './simulated-user.ts'
import { makeFolder, type Site, startSite } from './site.ts'

const DATABASE_UNAVAILABLE = {
  code: 'PGRST000',
  message: 'Database connection error. Retrying the connection.',
  details: null,
  hint: null,
}

let folder: string

beforeEach(async () => {
  folder = await makeFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('connections that are terminated', () => {
  let database: TestDatabase
  let site: Site

  beforeEach(async () => {
    database = await createTestDatabase()
    site = await startSite({ DATA_DIR: folder, DATABASE_URL: database.url }, database.url)
  })
  afterEach(async () => {
    await expectCleanExit()
    await database.drop()
  })

  /** The server has survived the fault and stops cleanly. */
  async function expectCleanExit(): Promise<void> {
    expect(await site.process.end('SIGTERM')).toBe(0)
  }

  /** Blocks writing to `table` until the transaction on the returned connection ends. */
  async function lockTable(table: 'public.categories' | 'auth.sessions'): Promise<PoolClient> {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`lock table ${table} in share mode`)
    return client
  }

  /** Terminates the connection of the one statement that waits for a lock. */
  async function terminateWaiting(): Promise<void> {
    const terminate = async () => {
      const { rows } = await database.pool.query<{ terminated: boolean }>(
        `select pg_terminate_backend(pid) as terminated from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows
    }
    await expect.poll(terminate, { timeout: 10_000 }).toEqual([{ terminated: true }])
  }

  it('during a change roll it back, and the next request succeeds', async () => {
    const { access_token: token } = await signUp(site, 'anna@example.org')
    const add = () => send(site, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })
    const holder = await lockTable('public.categories')
    const adding = add()
    await terminateWaiting()
    const response = await adding
    await holder.query('commit')
    holder.release()
    expect(response.status).toBe(503)
    expect(response.json()).toEqual(DATABASE_UNAVAILABLE)
    expect((await send(site, '/categories', { token })).json()).toEqual([])
    expect((await add()).status).toBe(201)
  })

  it('during a sign-up leave no incomplete account, and the next attempt succeeds', async () => {
    const body = { email: 'ben@example.org', password: PASSWORD }
    const holder = await lockTable('auth.sessions')
    const signingUp = call(site, 'POST', '/signup', { body })
    await terminateWaiting()
    const response = await signingUp
    await holder.query('commit')
    holder.release()
    expect(response).toMatchObject({ status: 503, body: { code: 'unexpected_failure' } })
    expect((await database.pool.query('select id from auth.users')).rows).toEqual([])
    expect((await call(site, 'POST', '/signup', { body })).status).toBe(200)
  })

  it('repeatedly and all at once under load lose no acknowledged change', async () => {
    const users = await Promise.all(
      ['anna', 'ben', 'carl'].map((name, index) =>
        signUpUser(site, `${name}@example.org`, createRandom(index)),
      ),
    )
    for (let round = 0; round < 5; round += 1) {
      let acknowledged = 0
      let isOver = false
      const count = () => {
        acknowledged += 1
      }
      const working = users.map((user) => user.sendChanges(site, count, () => isOver))
      await expect.poll(() => acknowledged, { timeout: 10_000 }).toBeGreaterThan(30)
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      isOver = true
      await Promise.all(working)
      for (const user of users) {
        await expect.poll(() => user.isServed(site), { timeout: 10_000 }).toBe(true)
        const { stored, expected } = await user.compare(site)
        expect(stored).toEqual(expected)
      }
    }
    const failures = users.flatMap((user) => user.failures)
    expect(failures.filter((status) => status !== 503)).toEqual([])
  })
})

describe('a database that is restarted', () => {
  let postgres: EmbeddedPostgres
  let site: Site

  beforeEach(async () => {
    await start()
    site = await startSite({ DATA_DIR: folder, DATABASE_URL: postgres.url }, postgres.url)
  })
  afterEach(async () => {
    await site.process.end('SIGKILL')
    await postgres.stop()
  })

  async function start(): Promise<void> {
    postgres = await startEmbeddedPostgres({ dataDir: folder })
  }

  it('causes a clear error, and the same server reconnects with everyone still signed in', async () => {
    const device = createDevice(site)
    const { data } = await device.signUp({ email: 'anna@example.org', password: PASSWORD })
    const token = data.session?.access_token ?? null
    await send(site, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })

    await postgres.stop()
    const failed = await send(site, '/categories', { token })
    expect(failed.status).toBe(503)
    expect(failed.json()).toEqual(DATABASE_UNAVAILABLE)
    const failedCall = await call(site, 'GET', '/user', token === null ? {} : { token })
    expect(failedCall).toMatchObject({ status: 503, body: { code: 'unexpected_failure' } })
    // auth-js retries for a while, and keeps the session until then.
    const refreshing = device.refreshSession()

    await start()
    expect((await refreshing).error).toBeNull()
    const found = await send(site, '/categories?select=name', { token })
    expect(found.json()).toEqual([{ name: 'Family' }])
    expect(await site.process.end('SIGTERM')).toBe(0)
  })
})
