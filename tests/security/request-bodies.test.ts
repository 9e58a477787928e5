import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { attack, type Attack, bearer } from './attack.ts'
import { useTwoUsers } from './two-users.ts'
import { openRawConnection, type RawConnection, statusesIn } from './raw-connection.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE
/** Large bodies that one network, and all together, may have in flight, in MiB. */
const OF_ONE_NETWORK = 28
const OF_ALL = 48
const IMPORT = '/rest/v1/rpc/import_prayers'
const NOTHING_TO_IMPORT = { data: { categories: [], prayers: [] }, preview: false }

let opened: RawConnection[]

const world = useTwoUsers({ config: { trustProxy: true } })

beforeAll(async () => {
  // A body stalls for as long as the test takes. What ends it otherwise is tested in resource-limits.test.ts and
  // server/http/body-limits.test.ts.
  Object.assign(world.server.app.server, { requestTimeout: 0, headersTimeout: 0, timeout: 0 })
})

beforeEach(() => {
  opened = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(async () => {
  await closeConnections()
  vi.useRealTimers()
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

/** Sends so many uploads that stall before their last byte, as far as the server lets them. */
async function stall(times: number, upload: (index: number) => Upload): Promise<void> {
  await Promise.all(Array.from({ length: times }, (_, index) => begin(withoutBody(upload(index)))))
}

function rejected(): number[] {
  return opened.flatMap((connection) => statusesIn(connection.received()))
}

/** Waits until so many are rejected, and checks that a request after them rejects no other. */
async function expectRejected(count: number, status: number): Promise<void> {
  await expect.poll(() => rejected().length).toBeGreaterThanOrEqual(count)
  expect((await send({ method: 'GET', path: '/health' })).status).toBe(200)
  expect(rejected()).toEqual(Array.from({ length: count }, () => status))
}

/** Closes the connections, and waits until the server has noticed. */
async function closeConnections(): Promise<void> {
  for (const { socket } of opened.splice(0)) socket.destroy()
  const { server } = world.server.app
  const count = () => new Promise<number>((resolve) => server.getConnections((_error, open) => resolve(open)))
  server.closeIdleConnections()
  await expect.poll(count).toBe(0)
}

function send(request: Attack & { from?: string }) {
  const { from = '198.51.100.1', headers, ...rest } = request
  return attack(world.server, { ...rest, headers: { 'x-forwarded-for': from, ...headers } })
}

const category = (name: string) => ({ method: 'POST', path: '/rest/v1/categories', body: { name, order: 1 } })
const ofAnna = () => bearer(world.anna.session.access_token)
const ofBen = () => bearer(world.ben.session.access_token)

const LIMITED = ['/signup', '/token?grant_type=password', '/recover', '/resend', '/verify', '/user']

describe('an account endpoint', () => {
  it.each([...LIMITED, '/token?grant_type=refresh_token', '/callback', '/nowhere'])(
    'rejects a body of more than 16 KiB before it arrives: %s',
    async (path) => {
      const method = path === '/user' ? 'PUT' : 'POST'
      const upload = { method, path: `/auth/v1${path}`, size: 16 * KIBIBYTE + 1 }
      const received = await (await begin(withoutBody(upload))).ended
      expect(statusesIn(received)).toEqual([413])
      expect(received).toContain('"error_code":"request_entity_too_large"')
      expect(received).toContain('"msg":"Request body too large (max 16384 bytes)"')
    },
  )

  it.each(LIMITED)('counts a request before its body arrives: %s', async (path) => {
    world.server.services.config.rateLimitFactor = 1 / 30
    const method = path === '/user' ? 'PUT' : 'POST'
    await stall(2, () => ({ method, path: `/auth/v1${path}`, size: 100 }))
    await expectRejected(1, 429)
    world.server.services.config.rateLimitFactor = 1000
  })
})

describe('bodies that stall', () => {
  const large = { path: '/rest/v1/categories', size: MEBIBYTE }
  const fromMany = (index: number) => ({ ...large, from: `203.0.113.${String(index)}` })

  it('are limited for a network, and keep no one from being served', async () => {
    // Twice, because the first must have left nothing behind.
    for (const round of ['first', 'second']) {
      await stall(OF_ONE_NETWORK + 10, () => large)
      await expectRejected(10, 503)
      for (const from of ['203.0.113.7', '198.51.100.1']) {
        const response = await send({ ...category(round), from, headers: ofBen() })
        expect(response.status).toBe(201)
      }
      const elsewhere = await send({ ...category('x'.repeat(MEBIBYTE / 2)), headers: ofBen() })
      expect(elsewhere.status, 'a large body of another network is read').toBe(400)
      await closeConnections()
    }
  })

  it('are limited for an account, whatever networks it comes from', async () => {
    const { access_token: token } = world.anna.session
    await stall(OF_ONE_NETWORK + 5, (index) => ({ ...fromMany(index), token }))
    await expectRejected(5, 503)
  })

  it('are limited in total, and small requests are still served', async () => {
    await stall(OF_ALL + 5, fromMany)
    await expectRejected(5, 503)
    expect((await send({ ...category('served'), headers: ofBen() })).status).toBe(201)
  })

  it('count with what their route allows if their size is unknown', async () => {
    await stall(OF_ONE_NETWORK + 1, () => large)
    await expectRejected(1, 503)
    await begin(withoutBody(large).replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked'))
    await expectRejected(2, 503)
  })
})

describe('an import', () => {
  it('is the only one of its account; another one is rejected before its body arrives', async () => {
    const { access_token: token } = world.anna.session
    await stall(10, () => ({ path: IMPORT, size: 24 * MEBIBYTE, token }))
    await expectRejected(9, 429)
    const request = { method: 'POST', path: IMPORT, body: NOTHING_TO_IMPORT }
    const second = await send({ ...request, headers: ofAnna() })
    expect(second.status).toBe(429)
    expect(JSON.parse(second.text)).toMatchObject({ message: 'An import is already in progress' })
    expect((await send({ ...request, headers: ofBen() })).status).toBe(200)
    await expectRejected(9, 429)
    await closeConnections()
    expect((await send({ ...request, headers: ofAnna() })).status).toBe(200)
  })

  // What is counted is tested in server/rest/parse-body.test.ts.
  it('of more than an account can hold, which takes PostgreSQL gigabytes, never reaches it', async () => {
    const connected = vi.fn()
    world.server.database.dataPool.on('acquire', connected)
    const body = `{"data":{"categories":[],"prayers":[${'{},'.repeat(1_000_000)}{}]},"preview":true}`
    const response = await send({ method: 'POST', path: IMPORT, body, headers: ofAnna() })
    world.server.database.dataPool.off('acquire', connected)
    expect(response.status).toBe(413)
    expect(JSON.parse(response.text)).toMatchObject({
      code: 'PT413',
      message:
        'The import has more than an account can hold: 20,000 prayers, 20,000 updates and 150,000 prayed days.',
    })
    expect(connected).not.toHaveBeenCalled()
  })

  it.each(['Content-Length: 119000000', 'Transfer-Encoding: chunked'])(
    'of more than 25 MiB is rejected as soon as that is known: %s',
    async (framing) => {
      const upload = { path: IMPORT, size: 0, token: world.anna.session.access_token }
      const connection = await begin(withoutBody(upload).replace('Content-Length: 0', framing))
      // The end of the body is never sent.
      if (framing.includes('chunked')) connection.socket.write(`1A00000\r\n${' '.repeat(26 * MEBIBYTE)}`)
      expect(statusesIn(await connection.ended)).toEqual([413])
    },
  )
})
