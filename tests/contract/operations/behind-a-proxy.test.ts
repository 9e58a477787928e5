// TRUST_PROXY: whose word counts on where a request comes from, and on its name.
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

/** Whom the server takes for the caller who sends this. */
async function callerWith(forwardedFor: string): Promise<string | null> {
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

describe('the address of a caller', () => {
  it('is that of the connection, whatever is claimed, without a trusted proxy', async () => {
    await startBehind(false)
    expect(await callerWith('203.0.113.7')).toBe('127.0.0.1')
    expect(await callerWith('203.0.113.7, 198.51.100.1')).toBe('127.0.0.1')
  })

  it('is what the one proxy adds, and not what the caller put before it', async () => {
    await startBehind(1)
    expect(await callerWith('203.0.113.7')).toBe('203.0.113.7')
    expect(await callerWith('192.0.2.66, 203.0.113.8')).toBe('203.0.113.8')
    expect(await callerWith('192.0.2.66, 10.0.0.1, 203.0.113.9')).toBe('203.0.113.9')
  })

  it('is what the outer of two proxies adds', async () => {
    await startBehind(2)
    expect(await callerWith('192.0.2.66, 203.0.113.8, 198.51.100.1')).toBe('203.0.113.8')
  })

  it('is that of the connection when that is none of the named proxies', async () => {
    await startBehind('10.0.0.0/8')
    expect(await callerWith('203.0.113.7')).toBe('127.0.0.1')
  })

  it('is the last that is no named proxy', async () => {
    await startBehind('loopback,10.0.0.0/8')
    expect(await callerWith('192.0.2.66, 203.0.113.8, 10.1.2.3')).toBe('203.0.113.8')
  })

  it.each([
    ['without a trusted proxy', false as const, (attempt: number) => `203.0.113.${String(attempt)}`],
    ['behind one', 1, (attempt: number) => `192.0.2.${String(attempt)}, 203.0.113.7`],
  ])('can’t be changed to escape the limits %s', async (_where, trustProxy, claim) => {
    await startBehind(trustProxy, 1)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 31; attempt += 1) {
      const headers = { 'x-forwarded-for': claim(attempt) }
      const body = { email: 'a@b.de', password: 'x' }
      statuses.push((await call(server, 'POST', '/token?grant_type=password', { body, headers })).status)
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})

describe('the name of a request', () => {
  async function nameGiven(name: string): Promise<string> {
    const answer = await fetch(`${server.url}/health`, { headers: { 'x-request-id': name } })
    return answer.headers.get('x-request-id') ?? ''
  }

  it('is made here, and told in every answer', async () => {
    await startBehind(false)
    const answers = await Promise.all(
      ['/health', '/nowhere', '/auth/v1/user', '/rest/v1/prayers', '/auth/v1/nowhere'].map((path) =>
        fetch(`${server.url}${path}`),
      ),
    )
    const names = answers.map(({ headers }) => headers.get('x-request-id') ?? '')
    for (const name of names) expect(name).toMatch(UUID)
    expect(new Set(names).size).toBe(names.length)
    expect(await nameGiven('from-outside-1234')).toMatch(UUID)
  })

  it('is the proxy’s where there is one, unless it is more than a plain word', async () => {
    await startBehind(1)
    expect(await nameGiven('7b0f3a4c9d2e11efa1b20242ac120002')).toBe('7b0f3a4c9d2e11efa1b20242ac120002')
    for (const name of [
      'short',
      'x'.repeat(65),
      'with space in it',
      '{"level":60,"a":1}',
      'ünïcödé-ünïcödé',
      '',
    ]) {
      expect(await nameGiven(name)).toMatch(UUID)
    }
  })

  it('stands in each of its lines of the log', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    server = await startTestServer({ logger })
    await signUp(server, 'anna@example.org')
    await fetch(`${server.url}/health`)
    const answer = await call(server, 'POST', '/token?grant_type=password', {
      body: { email: 'a@b.de', password: 'x' },
    })
    const name = answer.headers.get('x-request-id') ?? ''
    await expect.poll(() => lines.filter((line) => line.includes(`"requestId":"${name}"`))).toHaveLength(1)
    const line: unknown = JSON.parse(lines.find((one) => one.includes(name)) ?? '')
    expect(line).toMatchObject({ requestId: name, route: '/auth/v1/token', method: 'POST', status: 400 })
    expect(lines.join('')).not.toContain('/health')
  })
})
