// Quotas per client address. supabase/auth internal/api/apilimiter, internal/conf/configuration.go.
import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '#server/app.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { call, refresh, sessionOf, signUp } from './auth-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ config: { rateLimitFactor: 1, trustProxy: true } })
})

afterAll(() => server.close())

beforeEach(async () => {
  await server.database.pool.query('truncate intercede.rate_limits')
})

const LIMITED = { code: 'over_request_rate_limit', message: 'Request rate limit reached' }

type Attempt = (from?: string) => Promise<{ status: number; body: unknown; headers: Headers }>

function attempting(method: string, path: string, body: unknown): Attempt {
  return async (from = '203.0.113.7') =>
    call(server, method, path, { body, headers: { 'x-forwarded-for': from } })
}

let addresses = 0

/** For another email address each time: wrong passwords for one address are limited on their own. */
const signInAttempt: Attempt = async (from) => {
  addresses += 1
  const body = { email: `${String(addresses)}@b.de`, password: 'x' }
  return attempting('POST', '/token?grant_type=password', body)(from)
}

async function statuses(attempt: Attempt, times: number, from?: string): Promise<number[]> {
  const all: number[] = []
  for (let time = 0; time < times; time += 1) all.push((await attempt(from)).status)
  return all
}

function count(all: readonly number[], status: number): number {
  return all.filter((one) => one === status).length
}

describe('an endpoint', () => {
  it.each([
    ['sign-in', signInAttempt],
    ['sign-up', attempting('POST', '/signup', { email: 'nothing', password: 'long enough' })],
    ['recovery', attempting('POST', '/recover', { email: 'nothing' })],
    ['resending emails', attempting('POST', '/resend', { type: 'nothing' })],
    ['a new password', attempting('PUT', '/user', { password: 'x' })],
    ['verification', attempting('POST', '/verify', { type: 'recovery', token_hash: 'x' })],
  ])('for %s accepts 30 requests from a client at once, then responds with 429', async (_name, attempt) => {
    const all = await statuses(attempt, 31)
    expect(count(all, 429)).toBe(1)
    expect(all.at(-1)).toBe(429)
    const response = await attempt()
    expect(response.body).toEqual(LIMITED)
    // GoTrue sends none.
    expect(response.headers.get('retry-after')).toBeNull()
    expect((await attempt('203.0.113.8')).status).not.toBe(429)
  })

  it('has its own quota', async () => {
    await statuses(signInAttempt, 31)
    const { status } = await attempting('POST', '/recover', { email: 'nothing' })()
    expect(status).toBe(400)
  })
})

describe('a quota', () => {
  it('refills continuously: 150 sign-ins in 5 minutes', async () => {
    await statuses(signInAttempt, 30)
    server.clock.advance(10)
    expect(count(await statuses(signInAttempt, 6), 429)).toBe(1)
    server.clock.advance(3600)
    expect(count(await statuses(signInAttempt, 31), 429)).toBe(1)
  })

  it('is shared by all servers on the database', async () => {
    const second = await buildApp({ ...server.services, metrics: new Registry() }, null)
    const attempts = [
      async () => (await signInAttempt()).status,
      async () => {
        const response = await second.inject({
          method: 'POST',
          url: '/auth/v1/token?grant_type=password',
          headers: { apikey: server.services.keys.anonKey, 'x-forwarded-for': '203.0.113.7' },
          payload: { email: `second${String(all.length)}@b.de`, password: 'x' },
        })
        return response.statusCode
      },
    ]
    const all: number[] = []
    for (let round = 0; round < 16; round += 1) for (const attempt of attempts) all.push(await attempt())
    await second.close()
    expect(count(all, 429)).toBe(2)
  })

  it('is not exceeded by concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, async () => signInAttempt()))
    expect(
      count(
        all.map(({ status }) => status),
        429,
      ),
    ).toBe(10)
  })

  it('counts a whole IPv6 network as one client', async () => {
    await statuses(signInAttempt, 15, '2001:db8:1:2::1')
    await statuses(signInAttempt, 15, '2001:db8:1:2:ffff::2')
    expect((await signInAttempt('2001:db8:1:2:3::3')).status).toBe(429)
    expect((await signInAttempt('2001:db8:1:3::1')).status).toBe(400)
  })

  it('is multiplied by the configured factor', async () => {
    server.services.config.rateLimitFactor = 2
    expect(count(await statuses(signInAttempt, 61), 429)).toBe(1)
    server.services.config.rateLimitFactor = 1
  })
})

it('does not limit refreshing, because an error would sign users out', async () => {
  let { refresh_token: token } = await signUp(server, 'ruth@example.com')
  for (let round = 0; round < 100; round += 1) token = sessionOf(await refresh(server, token)).refresh_token
  expect(token).toMatch(/^[a-z0-9]{12}$/)
})
