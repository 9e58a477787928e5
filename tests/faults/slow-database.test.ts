import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { describe, expect, it, type TestContext } from 'vitest'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { call, createDevice, PASSWORD, signUp } from '#tests/contract/auth/auth-client.ts'
import { send } from '#tests/support/data-requests.ts'
import { makeFolder, PROCESS_TIMEOUT, query, type Site, startSite } from './site.ts'

/** The data connections that one account may use, and all of the server's connections for accounts. */
const ALL_OF_ONE_ACCOUNT = 3
const ALL_FOR_ACCOUNTS = 5
/** All of its data connections. */
const ALL = 10
/** Accounts, each on a network of its own, whose requests need more than the server's ten data connections. */
const TOO_MANY_ACCOUNTS = 4
/** Milliseconds for what usually takes a moment, on a busy machine. */
const TIMEOUT = 60_000

const TOO_LONG = 'The database took too long to respond. Try again in a moment.'
const NONE_FREE = 'Timed out acquiring connection from connection pool.'
const UNAVAILABLE = 'Database connection error. Retrying the connection.'

/** A server on a PostgreSQL of its own, and a connection that holds locks. */
interface World {
  site: Site
  databaseUrl: string
  superuserUrl: string
  holder: Client
}

/** Closed at the end of the test, which with concurrent tests only their context knows. */
async function openWorld({ onTestFinished }: TestContext): Promise<World> {
  const folder = await makeFolder()
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings: { max_connections: '20' } })
  const env = { DATA_DIR: folder, DATABASE_URL: postgres.url, TRUST_PROXY: '1' }
  const site = await startSite(env, postgres.url)
  const holder = new Client({ connectionString: postgres.superuserUrl })
  await holder.connect()
  onTestFinished(async () => {
    await holder.end()
    // The server has survived the fault and stops cleanly.
    expect(await site.process.end('SIGTERM')).toBe(0)
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { site, databaseUrl: postgres.url, superuserUrl: postgres.superuserUrl, holder }
}

function addCategories(site: Site, token: string, count: number, from = '203.0.113.1') {
  const headers = { 'x-forwarded-for': from }
  return Array.from({ length: count }, (_, index) =>
    send(site, '/categories', { method: 'POST', token, headers, body: { name: 'Held', order: index + 1 } }),
  )
}

/** Start times of the statements that wait for a lock. */
async function waitingSince({ superuserUrl }: World): Promise<string[]> {
  const rows = await query<{ since: string }>(
    superuserUrl,
    `select query_start::text as since from pg_stat_activity where wait_event_type = 'Lock'`,
  )
  return rows.map(({ since }) => since)
}

/** Process ids of the server's connections. */
async function connectionsOfServer({ holder }: World): Promise<number[]> {
  const { rows } = await holder.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'intercede'`,
  )
  return rows.map(({ pid }) => pid)
}

async function expectServed(site: Site, token: string): Promise<void> {
  expect((await send(site, '/categories?select=name', { token })).json()).toEqual([])
  expect((await call(site, 'GET', '/user', { token })).status).toBe(200)
}

/** Opens connections until none are left. */
async function takeAllConnections({ databaseUrl }: World): Promise<Client[]> {
  const taken: Client[] = []
  for (;;) {
    const client = new Client({ connectionString: databaseUrl })
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    )
    if (!isConnected) return taken
    taken.push(client)
  }
}

// Concurrent, because they mostly wait.
describe.concurrent('a database with locked rows', { timeout: PROCESS_TIMEOUT }, () => {
  it('fails the requests that wait too long for a lock, and serves all others', async (context) => {
    const world = await openWorld(context)
    const { site, holder } = world
    const { access_token: token } = await signUp(site, 'anna@example.org')
    await holder.query('begin; lock table public.categories in share mode')
    const other = await signUp(site, 'ben@example.org')
    const waiting = addCategories(site, token, ALL_OF_ONE_ACCOUNT)
    await context.expect
      .poll(() => waitingSince(world), { timeout: TIMEOUT })
      .toHaveLength(ALL_OF_ONE_ACCOUNT)
    await expectServed(site, other.access_token)
    for (const response of await Promise.all(waiting)) {
      expect(response.status).toBe(503)
      expect(response.json()).toEqual({ code: '57014', message: TOO_LONG, details: null, hint: null })
    }
    await holder.query('commit')
    await expectServed(site, token)
  })

  it('serves data requests again when those before them have waited too long, and account requests meanwhile', async (context) => {
    const world = await openWorld(context)
    const { site, holder } = world
    const { access_token: token } = await signUp(site, 'anna@example.org')
    const others = await Promise.all(
      Array.from({ length: TOO_MANY_ACCOUNTS }, (_, index) =>
        signUp(site, `user${String(index)}@example.org`),
      ),
    )
    await holder.query('begin; lock table public.categories in share mode')
    const waiting = others.flatMap(({ access_token: other }, index) =>
      addCategories(site, other, ALL_OF_ONE_ACCOUNT, `203.0.113.${String(index)}`),
    )
    await context.expect.poll(() => waitingSince(world), { timeout: TIMEOUT }).toHaveLength(ALL)
    expect((await call(site, 'GET', '/user', { token })).status).toBe(200)
    expect((await send(site, '/categories', { token })).status).toBe(200)
    for (const response of await Promise.all(waiting)) expect(response.status).toBe(503)
    await holder.query('commit')
    await expectServed(site, token)
  })

  it('fails account requests after a while when all their connections wait, and serves data requests', async (context) => {
    const world = await openWorld(context)
    const { site, holder } = world
    const { access_token: token } = await signUp(site, 'anna@example.org')
    await holder.query('begin; lock table auth.users in access exclusive mode')
    const waiting = Array.from({ length: ALL_FOR_ACCOUNTS }, () => call(site, 'GET', '/user', { token }))
    await context.expect.poll(() => waitingSince(world), { timeout: TIMEOUT }).toHaveLength(ALL_FOR_ACCOUNTS)
    expect((await send(site, '/categories', { token })).status).toBe(200)
    expect(await call(site, 'GET', '/user', { token })).toMatchObject({
      status: 503,
      body: { code: 'unexpected_failure', message: NONE_FREE },
    })
    await holder.query('commit')
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200))
  })

  it('signs no one out whose session is locked during a refresh', async (context) => {
    const world = await openWorld(context)
    const { site, holder } = world
    const memory = new Map<string, string>()
    const device = createDevice(site, memory)
    const { data: begun } = await device.signUp({ email: 'anna@example.org', password: PASSWORD })
    // Makes the device treat the access token as expired.
    memory.set('supabase-auth', JSON.stringify({ ...begun.session, expires_at: 1 }))
    await holder.query('begin; select from auth.sessions for update')
    const refreshing = device.refreshSession()
    await context.expect.poll(() => waitingSince(world), { timeout: TIMEOUT }).toHaveLength(1)
    const [first] = await waitingSince(world)
    // When the retry waits, the first request has failed.
    await context.expect
      .poll(() => waitingSince(world), { timeout: TIMEOUT })
      .toEqual([expect.not.stringContaining(String(first))])
    await holder.query('commit')
    const { data, error } = await refreshing
    expect(error).toBeNull()
    expect(data.session?.user.email).toBe('anna@example.org')
  })
})

describe.concurrent('a frozen database', { timeout: PROCESS_TIMEOUT }, () => {
  it('fails requests after a while, and serves them again when it resumes', async (context) => {
    const world = await openWorld(context)
    const { site } = world
    const { access_token: token } = await signUp(site, 'anna@example.org')
    const frozen = await connectionsOfServer(world)
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    try {
      // Each uses an idle connection that was opened before.
      const [reading, readingUser] = await Promise.all([
        send(site, '/categories', { token }),
        call(site, 'GET', '/user', { token }),
      ])
      expect(reading.status).toBe(503)
      expect(reading.json()).toMatchObject({ code: '57014', message: TOO_LONG })
      expect(readingUser).toMatchObject({ status: 503, body: { message: TOO_LONG } })
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
    }
    await expectServed(site, token)
  })
})

describe.concurrent('a database without free connections', { timeout: PROCESS_TIMEOUT }, () => {
  it('causes a clear error, and serves requests again when a connection is free', async (context) => {
    const world = await openWorld(context)
    const { site, holder } = world
    const { access_token: token } = await signUp(site, 'anna@example.org')
    const others = await takeAllConnections(world)
    for (const pid of await connectionsOfServer(world)) {
      await holder.query('select pg_terminate_backend($1, 5000)', [pid])
    }
    others.push(...(await takeAllConnections(world)))
    const reading = await send(site, '/categories', { token })
    expect(reading.status).toBe(503)
    expect(reading.json()).toMatchObject({ code: 'PGRST000', message: UNAVAILABLE })
    const readingUser = await call(site, 'GET', '/user', { token })
    expect(readingUser).toMatchObject({
      status: 503,
      body: { code: 'unexpected_failure', message: UNAVAILABLE },
    })
    await Promise.all(others.map((other) => other.end()))
    await expectServed(site, token)
  })
})
