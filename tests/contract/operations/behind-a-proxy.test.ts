// TRUST_PROXY: whether the client's address and the request id are taken from a proxy's headers.
import { afterEach, describe, expect, it } from 'vitest'
import pino from 'pino'
import type { Config } from '#server/config.ts'
import { call, newUser } from '#tests/contract/auth/auth-client.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let server: TestServer

afterEach(() => server.close())

async function startBehind(trustProxy: Config['trustProxy']): Promise<void> {
  server = await startTestServer({ config: { trustProxy } })
}

describe('the client address', () => {
  it.each([
    {
      rule: 'that of the connection without a trusted proxy, whatever the headers are',
      trustProxy: false as const,
      forwardedFor: ['203.0.113.7', '203.0.113.7, 198.51.100.1'],
      address: '127.0.0.1',
    },
    {
      rule: 'what the proxy adds, not what the client put before it',
      trustProxy: 1,
      forwardedFor: ['203.0.113.7', '192.0.2.66, 203.0.113.7', '192.0.2.67, 10.0.0.1, 203.0.113.7'],
      address: '203.0.113.7',
    },
    {
      rule: 'what the outer of two proxies adds',
      trustProxy: 2,
      forwardedFor: ['192.0.2.66, 203.0.113.8, 198.51.100.1', '192.0.2.67, 203.0.113.8, 198.51.100.1'],
      address: '203.0.113.8',
    },
    {
      rule: 'that of the connection if it does not come from a trusted proxy',
      trustProxy: '10.0.0.0/8',
      forwardedFor: ['203.0.113.7', '203.0.113.8'],
      address: '127.0.0.1',
    },
    {
      rule: 'the last one that is not a trusted proxy',
      trustProxy: 'loopback,10.0.0.0/8',
      forwardedFor: ['192.0.2.66, 203.0.113.8, 10.1.2.3', '203.0.113.8, 10.1.2.3'],
      address: '203.0.113.8',
    },
  ])('is $rule', async ({ trustProxy, forwardedFor, address }) => {
    await startBehind(trustProxy)
    const post = (path: string, from: string, body: object) =>
      call(server, 'POST', path, {
        body,
        headers: { 'x-forwarded-for': from, forwarded: `for=${from}`, 'x-real-ip': from },
      })
    for (const from of forwardedFor) {
      const { refresh_token, user } = await newUser(server, undefined, '192.0.2.1')
      await post('/token?grant_type=refresh_token', from, { refresh_token })
      const { rows } = await server.database.pool.query(
        'select host(ip) as ip from auth.sessions where user_id = $1',
        [user.id],
      )
      expect(rows, from).toEqual([{ ip: address }])
    }
    // No header evades a rate limit.
    server.services.config.rateLimitFactor = 1 / 30
    const statuses: number[] = []
    for (const from of forwardedFor) statuses.push((await post('/verify', from, {})).status)
    expect(statuses).toEqual(forwardedFor.map((_from, index) => (index === 0 ? 400 : 429)))
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
    ])
      expect(await requestIdFor(header)).toMatch(UUID)
  })

  it('is part of the log line of the request', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    server = await startTestServer({ logger })
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
