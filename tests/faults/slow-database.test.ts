import { rm } from 'node:fs/promises'
import { Client } from 'pg'
import { describe, expect, it, type TestContext } from 'vitest'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { call, createDevice, PASSWORD, signUp } from '#tests/contract/auth/auth-client.ts'
import { send } from '#tests/support/data-requests.ts'
import { makeFolder, PROCESS_TIMEOUT, query, type Site, startSite } from './site.ts'

/** Of the server's ten connections. Those that are left serve everybody else. */
const SOME = 3
const ALL = 10
/** Milliseconds for something to happen that is a matter of a moment, on a machine with other things to do. */
const PATIENCE = 20_000

const TOO_LONG = 'The database took too long to answer. Try again in a moment.'
const NONE_FREE = 'Timed out acquiring connection from connection pool.'
const AWAY = 'Database connection error. Retrying the connection.'

/** A server on a PostgreSQL that nobody else uses, and somebody who gets in its way. */
interface World {
  site: Site
  databaseUrl: string
  superuserUrl: string
  holder: Client
}

/** The context is the test's own: with several tests under way, nothing else tells whose world it is. */
async function openWorld({ onTestFinished }: TestContext): Promise<World> {
  const folder = await makeFolder()
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings: { max_connections: '20' } })
  const site = await startSite({ DATA_DIR: folder, DATABASE_URL: postgres.url }, postgres.url)
  const holder = new Client({ connectionString: postgres.superuserUrl })
  await holder.connect()
  onTestFinished(async () => {
    await holder.end()
    // It has lived through it all, and ends in good order.
    expect(await site.process.end('SIGTERM')).toBe(0)
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return { site, databaseUrl: postgres.url, superuserUrl: postgres.superuserUrl, holder }
}

function addCategories(site: Site, token: string, count: number) {
  return Array.from({ length: count }, (_, index) =>
    send(site, '/categories', { method: 'POST', token, body: { name: 'Held', order: index + 1 } }),
  )
}

/** Since when statements wait for a lock. */
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

/** Connections for others, as many as there are left. */
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

// They wait rather than work, so they wait together.
describe.concurrent('a database that others keep busy', { timeout: PROCESS_TIMEOUT }, () => {
  it('is given up after a while, for those who wait, and goes on with everybody else', async (context) => {
    const world = await openWorld(context)
    const { site, holder } = world
    const { access_token: token } = await signUp(site, 'anna@example.org')
    await holder.query('begin; lock table public.categories in share mode')
    const held = addCategories(site, token, SOME)
    await context.expect.poll(() => waitingSince(world), { timeout: PATIENCE }).toHaveLength(SOME)
    await expectServed(site, token)
    for (const answer of await Promise.all(held)) {
      expect(answer.status).toBe(503)
      expect(answer.json()).toEqual({ code: '57014', message: TOO_LONG, details: null, hint: null })
    }
    await holder.query('commit')
    await expectServed(site, token)
  })

  it('does not have people wait for ever for a connection, when all are waiting', async (context) => {
    const world = await openWorld(context)
    const { site, holder } = world
    const { access_token: token } = await signUp(site, 'anna@example.org')
    await holder.query('begin; lock table public.categories in share mode')
    const held = addCategories(site, token, ALL)
    await context.expect.poll(() => waitingSince(world), { timeout: PATIENCE }).toHaveLength(ALL)
    const [reading, asking] = await Promise.all([
      send(site, '/categories', { token }),
      call(site, 'GET', '/user', { token }),
    ])
    expect(reading.status).toBe(503)
    expect(reading.json()).toMatchObject({ code: 'PGRST003', message: NONE_FREE })
    expect(asking).toMatchObject({ status: 503, body: { code: 'unexpected_failure', message: NONE_FREE } })
    await holder.query('commit')
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 201))
  })

  it('signs nobody out whose session is held, even when only the refresh is left to them', async (context) => {
    const world = await openWorld(context)
    const { site, holder } = world
    const memory = new Map<string, string>()
    const device = createDevice(site, memory)
    const { data: begun } = await device.signUp({ email: 'anna@example.org', password: PASSWORD })
    // For the device the access token is too old to be of any use.
    memory.set('supabase-auth', JSON.stringify({ ...begun.session, expires_at: 1 }))
    await holder.query('begin; select from auth.sessions for update')
    const refreshing = device.refreshSession()
    await context.expect.poll(() => waitingSince(world), { timeout: PATIENCE }).toHaveLength(1)
    const [first] = await waitingSince(world)
    // When another try waits, the first one has been refused.
    await context.expect
      .poll(() => waitingSince(world), { timeout: PATIENCE })
      .toEqual([expect.not.stringContaining(String(first))])
    await holder.query('commit')
    const { data, error } = await refreshing
    expect(error).toBeNull()
    expect(data.session?.user.email).toBe('anna@example.org')
  })
})

describe.concurrent('a database that stands still', { timeout: PROCESS_TIMEOUT }, () => {
  it('without a word, is given up as well, and found again when it moves', async (context) => {
    const world = await openWorld(context)
    const { site } = world
    const { access_token: token } = await signUp(site, 'anna@example.org')
    const frozen = await connectionsOfServer(world)
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    try {
      const answers = await Promise.all(frozen.map(() => send(site, '/categories', { token })))
      for (const answer of answers) {
        expect(answer.status).toBe(503)
        expect(answer.json()).toMatchObject({ code: '57014', message: TOO_LONG })
      }
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
    }
    await expectServed(site, token)
  })
})

describe.concurrent('a database that is full of connections', { timeout: PROCESS_TIMEOUT }, () => {
  it('is missed in clear words, and served from again when there is room', async (context) => {
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
    expect(reading.json()).toMatchObject({ code: 'PGRST000', message: AWAY })
    const asking = await call(site, 'GET', '/user', { token })
    expect(asking).toMatchObject({ status: 503, body: { code: 'unexpected_failure', message: AWAY } })
    await Promise.all(others.map((other) => other.end()))
    await expectServed(site, token)
  })
})
