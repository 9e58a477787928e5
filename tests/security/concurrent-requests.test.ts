import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newUser } from '#tests/contract/auth/auth-client.ts'
import { waitForLocks } from '#tests/support/database.ts'
import { openPools } from '#tests/support/pgbouncer.ts'
import { attack, type AttackResponse, bearer } from './attack.ts'
import { openRawConnection } from './raw-connection.ts'
import { startWithTwoUsers, type TwoUsers } from './two-users.ts'

/** Data requests in progress, of one account and of one network without a token. */
const AT_A_TIME = 3
/** Data connections in use, of all accounts in one network, exports and imports not included. */
const OF_A_NETWORK = 4

let world: TwoUsers
let holder: PoolClient

beforeAll(async () => {
  world = await startWithTwoUsers({ config: { trustProxy: true } })
})

afterAll(() => world.close())

beforeEach(async () => {
  holder = await world.server.database.pool.connect()
  await holder.query('begin')
})

afterEach(async () => {
  vi.useRealTimers()
  await holder.query('rollback')
  holder.release()
})

/** Lets every statement about prayers wait for `releasePrayers`. */
const lockPrayers = () => holder.query('lock table public.prayers in access exclusive mode')
const releasePrayers = () => holder.query('commit')
const waitForStatements = (count: number) => waitForLocks(world.server.database.pool, count)

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

async function statusesOf(requests: readonly Promise<AttackResponse>[]): Promise<number[]> {
  return (await Promise.all(requests)).map(({ status }) => status)
}

function times<Value>(count: number, value: () => Value): Value[] {
  return Array.from({ length: count }, value)
}

describe('slow requests', () => {
  it('of one account hold three connections to the database, and the others wait their turn', async () => {
    await lockPrayers()
    const ofAnna = times(30, () => rest('GET', '/prayers?select=id', anna()))
    await waitForStatements(AT_A_TIME)
    expect((await rest('GET', '/categories', ben())).status).toBe(200)
    await waitForStatements(AT_A_TIME)
    await releasePrayers()
    expect(await statusesOf(ofAnna)).toEqual(times(30, () => 200))
  })

  it('of one network hold less than half of the connections, however many accounts it has', async () => {
    const accounts = await Promise.all(times(4, () => newUser(world.server)))
    await lockPrayers()
    const ofOneNetwork = accounts.flatMap(({ access_token: token }) =>
      times(5, () => rest('GET', '/prayers', token, '203.0.113.7')),
    )
    await waitForStatements(OF_A_NETWORK)
    expect((await rest('GET', '/categories', ben(), '203.0.113.8')).status).toBe(200)
    await waitForStatements(OF_A_NETWORK)
    await releasePrayers()
    expect(await statusesOf(ofOneNetwork)).toEqual(times(20, () => 200))
  })

  it('without a token are counted by network', async () => {
    const { pool } = world.server.database
    await pool.query('grant select on public.prayers to anon')
    await lockPrayers()
    const requests = ['203.0.113.7', '203.0.113.8'].flatMap((from) =>
      times(10, () => rest('GET', '/prayers', null, from)),
    )
    await waitForStatements(2 * AT_A_TIME)
    expect((await rest('GET', '/categories', ben())).status).toBe(200)
    await waitForStatements(2 * AT_A_TIME)
    await releasePrayers()
    expect(await statusesOf(requests)).toEqual(times(20, () => 200))
    await pool.query('revoke select on public.prayers from anon')
  })

  it('are rejected when hundreds of the same account are waiting', async () => {
    await lockPrayers()
    const ofAnna = times(210, () => rest('GET', '/prayers?select=id', anna()))
    const first = await Promise.race(ofAnna)
    expect(first.status).toBe(503)
    expect(first.headers.get('retry-after')).toBe('2')
    expect(JSON.parse(first.text)).toMatchObject({ code: 'over_capacity' })
    await releasePrayers()
    expect(new Set(await statusesOf(ofAnna))).toEqual(new Set([200, 503]))
    expect((await rest('GET', '/prayers', anna())).status).toBe(200)
  })
})

it('does not wait for locked rows for longer than five seconds', async () => {
  const { dataPool } = openPools(world.server.database.env)
  const { rows } = await dataPool.query(`select current_setting('lock_timeout') as setting`)
  await dataPool.end()
  expect(rows).toEqual([{ setting: '5s' }])
})

describe('requests that are pipelined behind a slow one', () => {
  /** More than one read of 64 KiB contains. */
  const FEW = 2_500
  const REQUESTS = 20_000

  const requestLines = fc.array(
    fc.constantFrom(
      'GET /rest/v1/prayers',
      'GET /rest/v1/categories?select=id',
      'POST /rest/v1/rpc/export_account',
      'GET /rest/v1/nowhere',
      'GET /auth/v1/user',
      'POST /auth/v1/logout',
      'HEAD /ready',
      'GET /nowhere',
    ),
    { minLength: 1, maxLength: 4 },
  )

  it.each(
    fc.sample(requestLines, { numRuns: 8, seed: 20_261_123 }).map((lines) => [lines.join(', '), lines]),
  )('are hardly read, and another user is served: %s', async (_name, lines) => {
    const { app, services } = world.server
    const head = (line: string) => `${line} HTTP/1.1\r\nHost:\r\n`
    const signedIn = `apikey: ${services.keys.anonKey}\r\nAuthorization: Bearer ${anna()}\r\n`
    const pipelined = lines.map((line) => `${head(line)}\r\n`).join('')
    let pending = 0
    const count = (_request: IncomingMessage, response: ServerResponse) => {
      pending += 1
      response.once('finish', () => {
        pending -= 1
      })
    }
    await lockPrayers()
    app.server.on('request', count)
    const accepted = once(app.server, 'connection')
    const { socket } = await openRawConnection(world.server)
    const [atServer]: Socket[] = await accepted
    socket.write(`${head('GET /rest/v1/prayers')}${signedIn}\r\n`)
    await waitForStatements(1)
    socket.write(pipelined.repeat(REQUESTS / lines.length))
    await expect.poll(() => atServer?.isPaused()).toBe(true)
    expect(pending).toBeLessThan(FEW)
    expect((await rest('GET', '/categories', ben())).status).toBe(200)
    app.server.off('request', count)
    socket.destroy()
    await releasePrayers()
  })
})

it('exports and imports one account at a time, while others are served', async () => {
  const carol = (await newUser(world.server)).access_token
  await lockPrayers()
  const nothing = { data: { categories: [], prayers: [] }, preview: false }
  const transfers = [
    ...[anna(), anna(), ben()].map((token) => rest('POST', '/rpc/export_account', token)),
    ...[anna(), carol].map((token) => rest('POST', '/rpc/import_prayers', token, undefined, nothing)),
  ]
  await waitForStatements(1)
  for (const token of [anna(), ben(), carol]) {
    expect((await rest('GET', '/categories', token)).status).toBe(200)
  }
  await waitForStatements(1)
  await releasePrayers()
  expect(await statusesOf(transfers)).toEqual([200, 200, 200, 200, 200])
})

describe('an account that does not read the responses', () => {
  /** A list that does not fit into the buffers on the way. */
  let request: string

  beforeAll(async () => {
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
    const { dataPool } = world.server.database
    const connected = vi.fn()
    const queried = vi.fn()
    dataPool.on('acquire', connected).on('release', queried)
    const connections = await Promise.all(times(10, () => openRawConnection(world.server)))
    for (const { socket } of connections) {
      socket.pause()
      socket.write(request.repeat(3))
    }
    await expect.poll(() => queried.mock.calls.length).toBeGreaterThanOrEqual(AT_A_TIME)
    const ofBen = await rest('GET', '/prayers?select=id', ben())
    const connectedUntilThen = connected.mock.calls.length
    dataPool.off('acquire', connected).off('release', queried)
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
    const queried = once(database.dataPool, 'release')
    socket.write(request)
    await queried
    const isDisconnected = () => {
      vi.advanceTimersByTime(60_000)
      return atServer?.destroyed
    }
    await expect.poll(isDisconnected).toBe(true)
    socket.destroy()
  })
})
