// TRUST_PROXY: whether the client's address and the request id are taken from a proxy's headers.
import { afterEach, describe, expect, it } from 'vitest'
import pino from 'pino'
import type { Config } from '#server/config.ts'
import { call, signUp } from '#tests/contract/auth/auth-client.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let server: TestServer

afterEach(() => server.close())

async function startBehind(trustProxy: Config['trustProxy'], rateLimitFactor = 1000): Promise<void> {
  server = await startTestServer({ config: { trustProxy, rateLimitFactor } })
}

/** The client address that the server stores for a request with these headers. */
async function clientAddressFor(forwardedFor: string): Promise<string | null> {
  const email = `${forwardedFor.replaceAll(/[^\w]/g, '')}@example.org`
  const headers = {
    'x-forwarded-for': forwardedFor,
    forwarded: `for=${forwardedFor}`,
    'x-real-ip': forwardedFor,
  }
  await call(server, 'POST', '/signup', { body: { email, password: 'correct horse' }, headers })
  const { rows } = await server.database.pool.query<{ ip: string }>(
    `select host(s.ip) as ip from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1`,
    [email],
  )
  return rows[0]?.ip ?? null
}

describe('the client address', () => {
  it('is that of the connection without a trusted proxy, whatever the headers are', async () => {
    await startBehind(false)
    expect(await clientAddressFor('203.0.113.7')).toBe('127.0.0.1')
    expect(await clientAddressFor('203.0.113.7, 198.51.100.1')).toBe('127.0.0.1')
  })

  it('is what the proxy adds, not what the client put before it', async () => {
    await startBehind(1)
    expect(await clientAddressFor('203.0.113.7')).toBe('203.0.113.7')
    expect(await clientAddressFor('192.0.2.66, 203.0.113.8')).toBe('203.0.113.8')
    expect(await clientAddressFor('192.0.2.66, 10.0.0.1, 203.0.113.9')).toBe('203.0.113.9')
  })

  it('is what the outer of two proxies adds', async () => {
    await startBehind(2)
    expect(await clientAddressFor('192.0.2.66, 203.0.113.8, 198.51.100.1')).toBe('203.0.113.8')
  })

  it('is that of the connection if it does not come from a trusted proxy', async () => {
    await startBehind('10.0.0.0/8')
    expect(await clientAddressFor('203.0.113.7')).toBe('127.0.0.1')
  })

  it('is the last one that is not a trusted proxy', async () => {
    await startBehind('loopback,10.0.0.0/8')
    expect(await clientAddressFor('192.0.2.66, 203.0.113.8, 10.1.2.3')).toBe('203.0.113.8')
  })

  it.each([
    ['without a trusted proxy', false as const, (attempt: number) => `203.0.113.${String(attempt)}`],
    ['behind a proxy', 1, (attempt: number) => `192.0.2.${String(attempt)}, 203.0.113.7`],
  ])('cannot be forged to evade rate limits %s', async (_where, trustProxy, forgedAddress) => {
    await startBehind(trustProxy, 1)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 31; attempt += 1) {
      const headers = { 'x-forwarded-for': forgedAddress(attempt) }
      // Another account each time: guesses at one account have a limit of their own.
      const body = { email: `user${String(attempt)}@example.org`, password: 'x' }
      statuses.push((await call(server, 'POST', '/token?grant_type=password', { body, headers })).status)
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})

describe('the request id', () => {
  async function requestIdFor(header: string): Promise<string> {
    const response = await fetch(`${server.url}/health`, { headers: { 'x-request-id': header } })
    return response.headers.get('x-request-id') ?? ''
  }

  it('is generated, and sent with every response', async () => {
    await startBehind(false)
    const responses = await Promise.all(
      ['/health', '/nowhere', '/auth/v1/user', '/rest/v1/prayers', '/auth/v1/nowhere'].map((path) =>
        fetch(`${server.url}${path}`),
      ),
    )
    const ids = responses.map(({ headers }) => headers.get('x-request-id') ?? '')
    for (const id of ids) expect(id).toMatch(UUID)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await requestIdFor('from-outside-1234')).toMatch(UUID)
  })

  it('is that of the proxy, if it has only letters, digits, hyphens and underscores', async () => {
    await startBehind(1)
    expect(await requestIdFor('7b0f3a4c9d2e11efa1b20242ac120002')).toBe('7b0f3a4c9d2e11efa1b20242ac120002')
    for (const header of [
      'short',
      'x'.repeat(65),
      'with space in it',
      '{"level":60,"a":1}',
      'ünïcödé-ünïcödé',
      '',
    ]) {
      expect(await requestIdFor(header)).toMatch(UUID)
    }
  })

  it('is part of the log line of the request', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    server = await startTestServer({ logger })
    await signUp(server, 'anna@example.org')
    await fetch(`${server.url}/health`)
    const response = await call(server, 'POST', '/token?grant_type=password', {
      body: { email: 'a@b.de', password: 'x' },
    })
    const id = response.headers.get('x-request-id') ?? ''
    await expect.poll(() => lines.filter((line) => line.includes(`"requestId":"${id}"`))).toHaveLength(1)
    const line: unknown = JSON.parse(lines.find((one) => one.includes(id)) ?? '')
    expect(line).toMatchObject({ requestId: id, route: '/auth/v1/token', method: 'POST', status: 400 })
    expect(lines.join('')).not.toContain('/health')
  })
})
