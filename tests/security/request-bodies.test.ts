import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { attack, type Attack, bearer } from './attack.ts'
import { openRawConnection, type RawConnection, statusesIn } from './raw-connection.ts'
import { startWithTwoUsers, type TwoUsers } from './two-users.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE
/** Large bodies that one network, and all together, may have in flight, in MiB. */
const OF_ONE_NETWORK = 28
const OF_ALL = 48
/** Milliseconds that the server may take to reject a request, on a busy machine. */
const TIMEOUT = 10_000
const IMPORT = '/rest/v1/rpc/import_prayers'
const NOTHING_TO_IMPORT = { data: { categories: [], prayers: [] }, preview: false }

let world: TwoUsers
let opened: RawConnection[]

beforeEach(async () => {
  opened = []
  world = await startWithTwoUsers({ config: { trustProxy: true } })
})

afterEach(async () => {
  // The server waits for bodies in progress, which a failed test leaves.
  for (const { socket } of opened) socket.destroy()
  await world.close()
})

interface Upload {
  path: string
  /** Declared size of the body in bytes. */
  size: number
  method?: string
  /** Address of the client. */
  from?: string
  token?: string
}

/** The beginning of a request whose body has not arrived yet. */
function withoutBody({ path, size, method = 'POST', from = '203.0.113.7', token }: Upload): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    `apikey: ${world.server.services.keys.anonKey}`,
    `X-Forwarded-For: ${from}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    'Content-Type: application/json',
    `Content-Length: ${String(size)}`,
    'Connection: close',
    '\r\n',
  ].join('\r\n')
}

/** Sends the beginning of a request, and leaves the connection open. */
async function begin(request: string): Promise<RawConnection> {
  const connection = await openRawConnection(world.server)
  opened.push(connection)
  connection.socket.write(request)
  return connection
}

/** Sends uploads that stall before their last byte, as far as the server lets them. */
async function stall(uploads: readonly Upload[]): Promise<RawConnection[]> {
  return Promise.all(uploads.map((upload) => begin(withoutBody(upload))))
}

function repeated(upload: Upload, times: number): Upload[] {
  return Array.from({ length: times }, () => upload)
}

function rejected(connections: readonly RawConnection[]): number[] {
  return connections.flatMap((connection) => statusesIn(connection.received()))
}

/** Waits until so many are rejected with 503, and checks that a request after them rejects no other. */
async function expectRejected(connections: readonly RawConnection[], count: number): Promise<void> {
  await vi.waitUntil(() => rejected(connections).length >= count, TIMEOUT)
  expect((await send({ method: 'GET', path: '/health' })).status).toBe(200)
  expect(rejected(connections)).toEqual(Array.from({ length: count }, () => 503))
}

/** Closes the connections, and waits until the server has noticed. */
async function close(connections: readonly RawConnection[]): Promise<void> {
  for (const { socket } of connections) socket.destroy()
  const { server } = world.server.app
  const count = () => new Promise<number>((resolve) => server.getConnections((_error, open) => resolve(open)))
  server.closeIdleConnections()
  await vi.waitUntil(async () => (await count()) === 0, TIMEOUT)
}

function send(request: Attack & { from?: string }) {
  const { from = '198.51.100.1', headers, ...rest } = request
  return attack(world.server, { ...rest, headers: { 'x-forwarded-for': from, ...headers } })
}

const category = (name: string) => ({ method: 'POST', path: '/rest/v1/categories', body: { name, order: 1 } })

describe('an account endpoint', () => {
  it.each([
    ['POST', '/signup'],
    ['POST', '/token?grant_type=password'],
    ['POST', '/token?grant_type=refresh_token'],
    ['POST', '/recover'],
    ['POST', '/resend'],
    ['POST', '/verify'],
    ['PUT', '/user'],
    ['POST', '/callback'],
    ['POST', '/nowhere'],
  ])('rejects a body of more than 16 KiB before it arrives: %s %s', async (method, path) => {
    const connection = await begin(withoutBody({ method, path: `/auth/v1${path}`, size: 16 * KIBIBYTE + 1 }))
    await vi.waitUntil(() => connection.socket.closed, TIMEOUT)
    const received = connection.received()
    expect(statusesIn(received)).toEqual([413])
    expect(received).toContain('"error_code":"request_entity_too_large"')
    expect(received).toContain('"msg":"Request body too large (max 16384 bytes)"')
  })

  it.each([
    ['POST', '/signup'],
    ['POST', '/token?grant_type=password'],
    ['POST', '/recover'],
    ['POST', '/resend'],
    ['POST', '/verify'],
    ['PUT', '/user'],
  ])('counts a request before its body arrives: %s %s', async (method, path) => {
    world.server.services.config.rateLimitFactor = 1 / 30
    const upload = { method, path: `/auth/v1${path}`, size: 100 }
    const connections = await stall(repeated(upload, 2))
    await vi.waitUntil(() => rejected(connections).length > 0, TIMEOUT)
    expect(rejected(connections)).toEqual([429])
    await close(connections)
  })
})

describe('bodies that stall', () => {
  const large = { path: '/rest/v1/categories', size: MEBIBYTE }

  it('are limited for a network, and keep no one from being served', async () => {
    // Twice, because the first must have left nothing behind.
    for (const round of [1, 2]) {
      const connections = await stall(repeated(large, OF_ONE_NETWORK + 10))
      await expectRejected(connections, 10)
      const headers = bearer(world.ben.session.access_token)
      for (const from of ['203.0.113.7', '198.51.100.1']) {
        const response = await send({ ...category(`round ${String(round)}`), from, headers })
        expect(response.status).toBe(201)
      }
      const note = 'x'.repeat(MEBIBYTE / 2)
      const elsewhere = await send({ ...category(note), headers })
      expect(elsewhere.status, 'a large body of another network is read').toBe(400)
      await close(connections)
    }
  })

  it('are limited for an account, whatever networks it comes from', async () => {
    const { access_token: token } = world.anna.session
    const uploads = Array.from({ length: OF_ONE_NETWORK + 5 }, (_, index) => ({
      ...large,
      token,
      from: `203.0.113.${String(index)}`,
    }))
    const connections = await stall(uploads)
    await expectRejected(connections, 5)
    await close(connections)
  })

  it('are limited in total, and small requests are still served', async () => {
    const uploads = Array.from({ length: OF_ALL + 5 }, (_, index) => ({
      ...large,
      from: `203.0.113.${String(index)}`,
    }))
    const connections = await stall(uploads)
    await expectRejected(connections, 5)
    const headers = bearer(world.ben.session.access_token)
    expect((await send({ ...category('served'), headers })).status).toBe(201)
    await close(connections)
  })

  it('count with what their route allows if their size is unknown', async () => {
    const connections = await stall(repeated(large, OF_ONE_NETWORK + 1))
    await expectRejected(connections, 1)
    connections.push(
      await begin(withoutBody(large).replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')),
    )
    await expectRejected(connections, 2)
    await close(connections)
  })
})

describe('an import', () => {
  it('is the only one of its account; another one is rejected before its body arrives', async () => {
    const { access_token: token } = world.anna.session
    const upload = { path: IMPORT, size: 24 * MEBIBYTE, token }
    const connections = await stall(repeated(upload, 60))
    await vi.waitUntil(() => rejected(connections).length >= 59, TIMEOUT)
    const request = { method: 'POST', path: IMPORT, body: NOTHING_TO_IMPORT }
    const ofAnna = { ...request, headers: bearer(token) }
    const ofBen = { ...request, headers: bearer(world.ben.session.access_token) }
    const second = await send(ofAnna)
    expect(second.status).toBe(429)
    expect(JSON.parse(second.text)).toMatchObject({ message: 'An import is already in progress' })
    expect((await send(ofBen)).status).toBe(200)
    expect(rejected(connections)).toEqual(Array.from({ length: 59 }, () => 429))
    await close(connections)
    expect((await send(ofAnna)).status).toBe(200)
  })

  const importWith = (categories: string, prayers: string) =>
    `{"data":{"categories":[${categories}],"prayers":[${prayers}]},"preview":true}`
  const many = (count: number, value: string) => Array.from({ length: count }, () => value).join()

  it.each([
    ['700,000 prayers', importWith('{"id":"1"}', many(700_000, '{"category_id":"1"}'))],
    ['five million empty objects', importWith('', many(5_000_000, '{}'))],
    ['eight million numbers', importWith('', many(8_000_000, '1'))],
  ])('of %s, which takes PostgreSQL gigabytes, never reaches it', async (_what, body) => {
    const connected = vi.fn()
    world.server.database.dataPool.on('acquire', connected)
    const response = await send({
      method: 'POST',
      path: IMPORT,
      body,
      headers: bearer(world.anna.session.access_token),
    })
    expect(response.status).toBe(413)
    expect(JSON.parse(response.text)).toMatchObject({
      code: 'PT413',
      message:
        'The import has more than an account can hold: 20,000 prayers, 20,000 updates and 150,000 prayed days.',
    })
    expect(connected).not.toHaveBeenCalled()
  })

  it.each(['Content-Length: 119000000', 'Transfer-Encoding: chunked'])(
    'of more than 24 MiB is rejected as soon as that is known: %s',
    async (framing) => {
      const upload = { path: IMPORT, size: 0, token: world.anna.session.access_token }
      const connection = await begin(withoutBody(upload).replace('Content-Length: 0', framing))
      // The end of the body is never sent.
      if (framing.includes('chunked')) connection.socket.write(`1900000\r\n${' '.repeat(25 * MEBIBYTE)}`)
      await vi.waitUntil(() => connection.socket.closed, TIMEOUT)
      expect(statusesIn(connection.received())).toEqual([413])
    },
  )
})
