import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, createDevice, PASSWORD, signUp } from '#tests/contract/auth/auth-client.ts'
import { createTestDatabase, type TestDatabase, waitForLocks } from '#tests/support/database.ts'
import { send } from '#tests/support/data-requests.ts'
import { mapUrls, openPools } from '#tests/support/pgbouncer.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { tapWire } from '#tests/support/wire-tap.ts'
import { query } from './site.ts'

/** The data connections that one account may use, all data connections, and all of the server's for accounts. */
const OF_ONE_ACCOUNT = 3
const FOR_DATA = 10
const FOR_ACCOUNTS = 5

const TOO_LONG = 'The database took too long to respond. Try again in a moment.'
const NONE_FREE = 'Timed out acquiring connection from connection pool.'
const UNAVAILABLE = 'Database connection error. Retrying the connection.'

let database: TestDatabase
let server: TestServer
/** A connection that holds locks. */
let holder: Client

beforeEach(async () => {
  database = await createTestDatabase()
  holder = new Client({ connectionString: database.url })
  await holder.connect()
})
afterEach(async () => {
  await holder.end()
  await server.close()
})

/**
 * Starts a server with these limits of its connections, which replace those of createPool and createDataPool, so that
 * what a test waits for does not depend on the speed of the machine.
 */
async function startWith(limits: object, env = database.env): Promise<void> {
  const pools = openPools(env)
  pools.pool.options.max = FOR_ACCOUNTS
  for (const { options } of Object.values(pools)) Object.assign(options, limits)
  const drop = async () => {
    await Promise.all(Object.values(pools).map((pool) => pool.end()))
    await database.drop()
  }
  server = await startTestServer({
    config: { trustProxy: true },
    database: { url: database.url, env, ...pools, drop },
  })
}

const PATIENT = { lock_timeout: 600_000, statement_timeout: 600_000, query_timeout: 600_000 }

function addCategories(token: string, count: number, from = '203.0.113.1') {
  const headers = { 'x-forwarded-for': from }
  return Array.from({ length: count }, (_, index) =>
    send(server, '/categories', { method: 'POST', token, headers, body: { name: 'Held', order: index + 1 } }),
  )
}

/** A pooler waits a little before it tries to connect again. */
async function expectServed(token: string): Promise<void> {
  await expect.poll(async () => (await send(server, '/categories?select=id', { token })).status).toBe(200)
  await expect.poll(async () => (await call(server, 'GET', '/user', { token })).status).toBe(200)
}

/** Moves the timers of the driver, and of everything else in this process. */
function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('a database with locked rows', () => {
  it('fails requests that wait too long for a lock, and serves all others', async () => {
    await startWith({ lock_timeout: 100 })
    const { access_token: token } = await signUp(server, 'anna@example.org')
    await holder.query('begin; lock table public.categories in share mode')
    for (const failed of await Promise.all(addCategories(token, OF_ONE_ACCOUNT))) {
      expect(failed.status).toBe(503)
      expect(failed.json()).toEqual({ code: '57014', message: TOO_LONG, details: null, hint: null })
    }
    await expectServed(token)
    await holder.query('commit')
    expect((await addCategories(token, 1)[0])?.status).toBe(201)
  })

  it('serves data requests again when those before them have waited too long, and account requests meanwhile', async () => {
    server = await startTestServer({ config: { trustProxy: true }, database })
    const names = ['anna', 'ben', 'carl', 'dora', 'erin']
    const [anna, ...others] = await Promise.all(names.map((name) => signUp(server, `${name}@example.org`)))
    const token = anna?.access_token ?? ''
    await holder.query('begin; lock table public.categories in share mode')
    const waiting = others.flatMap((other, index) =>
      addCategories(other.access_token, OF_ONE_ACCOUNT, `203.0.113.${String(index)}`),
    )
    await waitForLocks(database.pool, FOR_DATA)
    expect((await call(server, 'GET', '/user', { token })).status).toBe(200)
    const reading = send(server, '/categories', { token })
    // As PostgreSQL does by itself when their time is over.
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await query(database.url, cancel)
    expect((await reading).status).toBe(200)
    await holder.query('commit')
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 503)).toHaveLength(FOR_DATA)
    expect(statuses.filter((status) => status === 201)).toHaveLength(waiting.length - FOR_DATA)
  })

  it('fails account requests after a while when all their connections wait, and serves data requests', async () => {
    await startWith(PATIENT)
    const { access_token: token } = await signUp(server, 'anna@example.org')
    // Which requests for data do not read.
    await holder.query('begin; lock table auth.identities in access exclusive mode')
    const readUser = () => call(server, 'GET', '/user', { token })
    const waiting = Array.from({ length: FOR_ACCOUNTS }, readUser)
    await waitForLocks(database.pool, FOR_ACCOUNTS)
    expect((await send(server, '/categories', { token })).status).toBe(200)
    fakeTimers()
    const oneMore = readUser()
    await expect.poll(() => server.services.pool.waitingCount).toBe(1)
    vi.advanceTimersByTime(10_000)
    expect(await oneMore).toMatchObject({
      status: 503,
      body: { code: 'unexpected_failure', message: NONE_FREE },
    })
    vi.useRealTimers()
    await holder.query('commit')
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200))
  })

  it('signs no one out whose session is locked during a refresh', async () => {
    await startWith({})
    const memory = new Map<string, string>()
    const device = createDevice(server, memory)
    const { data: begun } = await device.signUp({ email: 'anna@example.org', password: PASSWORD })
    // Makes the device treat the access token as expired.
    memory.set('supabase-auth', JSON.stringify({ ...begun.session, expires_at: 1 }))
    await holder.query('begin; select from auth.sessions for update')
    const refreshing = device.refreshSession()
    const since = () =>
      query<{ since: string }>(
        database.url,
        `select query_start::text as since from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    await waitForLocks(database.pool, 1)
    const first = await since()
    // The server gives up after five seconds. When the retry waits, the first request has failed.
    await expect.poll(since).toEqual([{ since: expect.not.stringContaining(String(first[0]?.since)) }])
    await holder.query('commit')
    const { data, error } = await refreshing
    expect(error).toBeNull()
    expect(data.session?.user.email).toBe('anna@example.org')
  })
})

it('a frozen database fails requests after a while, and serves them again when it resumes', async () => {
  const tap = await tapWire(database.env.DATABASE_URL)
  onTestFinished(() => tap.close())
  await startWith(
    {},
    mapUrls(database.env, (url) => tap.through(url)),
  )
  const { access_token: token } = await signUp(server, 'anna@example.org')
  await expectServed(token)
  fakeTimers()
  tap.freeze()
  const sent = tap.roundTrips()
  // Each uses an idle connection that was opened before.
  const [reading, readingUser] = [
    send(server, '/categories', { token }),
    call(server, 'GET', '/user', { token }),
  ]
  await expect.poll(() => tap.roundTrips() - sent).toBe(2)
  vi.advanceTimersByTime(20_000)
  expect((await reading).status).toBe(503)
  expect((await reading).json()).toMatchObject({ code: '57014', message: TOO_LONG })
  expect(await readingUser).toMatchObject({ status: 503, body: { message: TOO_LONG } })
  tap.resume()
  vi.useRealTimers()
  await expectServed(token)
})

it('a database without free connections causes a clear error, and serves requests again when one is free', async () => {
  await startWith({})
  const { access_token: token } = await signUp(server, 'anna@example.org')
  const name = new URL(database.url).pathname.slice(1)
  await holder.query(`alter database "${name}" connection limit 0`)
  await holder.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const reading = await send(server, '/categories', { token })
  expect(reading.status).toBe(503)
  expect(reading.json()).toMatchObject({ code: 'PGRST000', message: UNAVAILABLE })
  expect(await call(server, 'GET', '/user', { token })).toMatchObject({
    status: 503,
    body: { code: 'unexpected_failure', message: UNAVAILABLE },
  })
  await holder.query(`alter database "${name}" connection limit -1`)
  await expectServed(token)
})
