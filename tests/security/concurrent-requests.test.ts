import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newUser } from '#tests/contract/auth/auth-client.ts'
import { attack, type AttackResponse, bearer } from './attack.ts'
import { openRawConnection } from './raw-connection.ts'
import { startWithTwoUsers, type TwoUsers } from './two-users.ts'

/** Data requests in progress, of one account and of one network without a token. */
const AT_A_TIME = 3
/** Data connections in use, of all accounts in one network, exports and imports not included. */
const OF_A_NETWORK = 4

let world: TwoUsers
let holder: PoolClient

beforeEach(async () => {
  world = await startWithTwoUsers({ config: { trustProxy: true } })
  holder = await world.server.database.pool.connect()
})

afterEach(async () => {
  holder.release()
  await world.close()
})

/** Statements of data requests that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await world.server.database.pool.query<{ waiting: number }>(
    `select count(*)::integer as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]?.waiting ?? 0
}

function rest(
  method: string,
  path: string,
  token: string | null,
  from?: string,
  body: object = {},
): Promise<AttackResponse> {
  return attack(world.server, {
    method,
    path: `/rest/v1${path}`,
    ...(method === 'POST' ? { body } : {}),
    headers: {
      ...(token === null ? {} : bearer(token)),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    },
  })
}

const anna = () => world.anna.session.access_token
const ben = () => world.ben.session.access_token

function statuses(responses: readonly AttackResponse[]): number[] {
  return responses.map(({ status }) => status)
}

function times<Value>(count: number, value: () => Value): Value[] {
  return Array.from({ length: count }, value)
}

describe('slow requests', () => {
  it('of one account hold three connections to the database, and the others wait their turn', async () => {
    await holder.query('begin; lock table public.prayers in access exclusive mode')
    const ofAnna = times(30, () => rest('GET', '/prayers?select=id', anna()))
    await vi.waitUntil(async () => (await waiting()) === AT_A_TIME, 10_000)
    expect((await rest('GET', '/categories', ben())).status).toBe(200)
    expect(await waiting()).toBe(AT_A_TIME)
    await holder.query('commit')
    expect(statuses(await Promise.all(ofAnna))).toEqual(times(30, () => 200))
  })

  it('of one network hold less than half of the connections, however many accounts it has', async () => {
    const accounts = await Promise.all(times(4, () => newUser(world.server)))
    await holder.query('begin; lock table public.prayers in access exclusive mode')
    const ofOneNetwork = accounts.flatMap(({ access_token: token }) =>
      times(5, () => rest('GET', '/prayers', token, '203.0.113.7')),
    )
    await vi.waitUntil(async () => (await waiting()) >= OF_A_NETWORK, 10_000)
    expect((await rest('GET', '/categories', ben(), '203.0.113.8')).status).toBe(200)
    expect(await waiting()).toBe(OF_A_NETWORK)
    await holder.query('commit')
    expect(statuses(await Promise.all(ofOneNetwork))).toEqual(times(20, () => 200))
  })

  it('without a token are counted by network', async () => {
    await world.server.database.pool.query('grant select on public.prayers to anon')
    await holder.query('begin; lock table public.prayers in access exclusive mode')
    const ofOne = times(10, () => rest('GET', '/prayers', null, '203.0.113.7'))
    const ofAnother = times(10, () => rest('GET', '/prayers', null, '203.0.113.8'))
    await vi.waitUntil(async () => (await waiting()) === 2 * AT_A_TIME, 10_000)
    expect((await rest('GET', '/categories', ben())).status).toBe(200)
    expect(await waiting()).toBe(2 * AT_A_TIME)
    await holder.query('commit')
    expect(statuses(await Promise.all([...ofOne, ...ofAnother]))).toEqual(times(20, () => 200))
  })

  it('are rejected when hundreds of the same account are waiting', async () => {
    await holder.query('begin; lock table public.prayers in access exclusive mode')
    const ofAnna = times(250, () => rest('GET', '/prayers?select=id', anna()))
    const first = await Promise.race(ofAnna)
    expect(first.status).toBe(503)
    expect(first.headers.get('retry-after')).toBe('2')
    expect(JSON.parse(first.text)).toMatchObject({ code: 'over_capacity' })
    await holder.query('commit')
    expect(new Set(statuses(await Promise.all(ofAnna)))).toEqual(new Set([200, 503]))
    expect((await rest('GET', '/prayers', anna())).status).toBe(200)
  })
})

it('does not wait for locked rows for longer than five seconds', async () => {
  const { rows } = await world.server.database.dataPool.query<{ setting: string }>(
    `select current_setting('lock_timeout') as setting`,
  )
  expect(rows).toEqual([{ setting: '5s' }])
})

it('exports and imports one account at a time, while others are served', async () => {
  const carol = (await newUser(world.server)).access_token
  await holder.query('begin; lock table public.prayers in access exclusive mode')
  const nothing = { data: { categories: [], prayers: [] }, preview: false }
  const transfers = [
    ...[anna(), anna(), ben()].map((token) => rest('POST', '/rpc/export_account', token)),
    ...[anna(), carol].map((token) => rest('POST', '/rpc/import_prayers', token, undefined, nothing)),
  ]
  await vi.waitUntil(async () => (await waiting()) === 1, 10_000)
  for (const token of [anna(), ben(), carol]) {
    expect((await rest('GET', '/categories', token)).status).toBe(200)
  }
  expect(await waiting()).toBe(1)
  await holder.query('commit')
  expect(statuses(await Promise.all(transfers))).toEqual([200, 200, 200, 200, 200])
})

describe('an account that does not read the responses', () => {
  /** A list that does not fit into the buffers on the way. */
  let request: string

  beforeEach(async () => {
    const { database, services } = world.server
    await database.pool.query(
      `insert into public.prayers (user_id, category_id, person_name, note)
       select $1, $2, 'x', repeat('x', 10000) from generate_series(1, 1000)`,
      [world.anna.id, world.anna.categoryId],
    )
    request = [
      'GET /rest/v1/prayers HTTP/1.1',
      'Host: x',
      `apikey: ${services.keys.anonKey}`,
      `Authorization: Bearer ${anna()}`,
      '\r\n',
    ].join('\r\n')
  })

  it('has three requests at a time', async () => {
    let connected = 0
    let queried = 0
    const { dataPool } = world.server.database
    dataPool.on('acquire', () => {
      connected += 1
    })
    dataPool.on('release', () => {
      queried += 1
    })
    const connections = await Promise.all(times(10, () => openRawConnection(world.server)))
    for (const { socket } of connections) {
      socket.pause()
      socket.write(request.repeat(3))
    }
    await vi.waitUntil(() => queried >= AT_A_TIME, 10_000)
    const ofBen = await rest('GET', '/prayers?select=id', ben())
    const connectedUntilThen = connected
    for (const { socket } of connections) socket.destroy()
    expect(ofBen.status).toBe(200)
    expect(connectedUntilThen).toBe(AT_A_TIME + 1)
    expect((await rest('GET', '/prayers?select=id', anna())).status).toBe(200)
  })

  it('is disconnected when the time for reading them is over', async () => {
    const { app, database } = world.server
    const accepted = once(app.server, 'connection')
    const { socket } = await openRawConnection(world.server)
    const [atServer]: Socket[] = await accepted
    socket.pause()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const queried = once(database.dataPool, 'release')
    socket.write(request)
    await queried
    const isDisconnected = () => {
      vi.advanceTimersByTime(60_000)
      return atServer?.destroyed
    }
    await expect.poll(isDisconnected, { timeout: 10_000 }).toBe(true)
    socket.destroy()
  })
})
