import { rm } from 'node:fs/promises'
import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { call, createDevice, PASSWORD, signUp } from '#tests/contract/auth/auth-client.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { send } from '#tests/support/data-requests.ts'
import { createChance } from './chance.ts'
import { signUpPerson } from './person-at-work.ts'
import { makeFolder, type Site, startSite } from './site.ts'

const DATABASE_AWAY = {
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

describe('connections that are cut', () => {
  let database: TestDatabase
  let site: Site

  beforeEach(async () => {
    database = await createTestDatabase()
    site = await startSite({ DATA_DIR: folder, DATABASE_URL: database.url }, database.url)
  })
  afterEach(async () => {
    await expectGoodEnd()
    await database.drop()
  })

  /** The server has lived through it all. */
  async function expectGoodEnd(): Promise<void> {
    expect(await site.process.end('SIGTERM')).toBe(0)
  }

  /** Keeps `table` from being written until the transaction of the connection that it gives has ended. */
  async function hold(table: 'public.categories' | 'auth.sessions'): Promise<PoolClient> {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`lock table ${table} in share mode`)
    return client
  }

  /** Cuts the connection of the one statement that waits for a lock. */
  async function cutWaiting(): Promise<void> {
    const cut = async () => {
      const { rows } = await database.pool.query<{ cut: boolean }>(
        `select pg_terminate_backend(pid) as cut from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows
    }
    await expect.poll(cut, { timeout: 10_000 }).toEqual([{ cut: true }])
  }

  it('in the middle of a change, undo it, say so, and serve the next request', async () => {
    const { access_token: token } = await signUp(site, 'anna@example.org')
    const add = () => send(site, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })
    const holder = await hold('public.categories')
    const adding = add()
    await cutWaiting()
    const answer = await adding
    await holder.query('commit')
    holder.release()
    expect(answer.status).toBe(503)
    expect(answer.json()).toEqual(DATABASE_AWAY)
    expect((await send(site, '/categories', { token })).json()).toEqual([])
    expect((await add()).status).toBe(201)
  })

  it('in the middle of a sign-up, leave no half an account, and the next try works', async () => {
    const body = { email: 'ben@example.org', password: PASSWORD }
    const holder = await hold('auth.sessions')
    const signingUp = call(site, 'POST', '/signup', { body })
    await cutWaiting()
    const answer = await signingUp
    await holder.query('commit')
    holder.release()
    expect(answer).toMatchObject({ status: 503, body: { code: 'unexpected_failure' } })
    expect((await database.pool.query('select id from auth.users')).rows).toEqual([])
    expect((await call(site, 'POST', '/signup', { body })).status).toBe(200)
  })

  it('all at once and again while people write, lose nothing that was acknowledged', async () => {
    const people = await Promise.all(
      ['anna', 'ben', 'carl'].map((name, index) =>
        signUpPerson(site, `${name}@example.org`, createChance(index)),
      ),
    )
    for (let round = 0; round < 5; round += 1) {
      let acknowledged = 0
      let isOver = false
      const count = () => {
        acknowledged += 1
      }
      const working = people.map((person) => person.work(site, count, () => isOver))
      await expect.poll(() => acknowledged, { timeout: 10_000 }).toBeGreaterThan(30)
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      isOver = true
      await Promise.all(working)
      for (const person of people) {
        await expect.poll(() => person.isServed(site), { timeout: 10_000 }).toBe(true)
        const { stored, promised } = await person.settle(site)
        expect(stored).toEqual(promised)
      }
    }
    const refusals = people.flatMap((person) => person.refusals)
    expect(refusals.filter((status) => status !== 503)).toEqual([])
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

  it('is missed in clear words, and found again by the same server, with everyone still signed in', async () => {
    const device = createDevice(site)
    const { data } = await device.signUp({ email: 'anna@example.org', password: PASSWORD })
    const token = data.session?.access_token ?? null
    await send(site, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })

    await postgres.stop()
    const missed = await send(site, '/categories', { token })
    expect(missed.status).toBe(503)
    expect(missed.json()).toEqual(DATABASE_AWAY)
    const refused = await call(site, 'GET', '/user', token === null ? {} : { token })
    expect(refused).toMatchObject({ status: 503, body: { code: 'unexpected_failure' } })
    // The library tries again for a while, and keeps the session until then.
    const refreshing = device.refreshSession()

    await start()
    expect((await refreshing).error).toBeNull()
    const found = await send(site, '/categories?select=name', { token })
    expect(found.json()).toEqual([{ name: 'Family' }])
    expect(await site.process.end('SIGTERM')).toBe(0)
  })
})
