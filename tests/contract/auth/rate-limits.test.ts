// Quotas per client address. supabase/auth internal/api/apilimiter, internal/conf/configuration.go.
import { Registry } from 'prom-client'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '#server/app.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { call, newUser, refresh, sessionOf } from './auth-client.ts'

const server = useTestServer({ config: { rateLimitFactor: 1, trustProxy: true } })

beforeEach(async () => {
  await server.database.pool.query('truncate intercede.rate_limits')
})

const LIMITED = { code: 'over_request_rate_limit', message: 'Request rate limit reached' }

type Attempt = (from?: string) => Promise<{ status: number; body: unknown; headers: Headers }>

/** A request that is counted and then rejected, so that it costs no password hash and no email. */
function attempting(path: string, method = 'POST'): Attempt {
  return async (from = '203.0.113.7') =>
    call(server, method, path, { body: {}, headers: { 'x-forwarded-for': from } })
}

const signInAttempt = attempting('/token?grant_type=password')

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
    ['sign-up', attempting('/signup')],
    ['recovery', attempting('/recover')],
    ['resending emails', attempting('/resend')],
    ['a new password', attempting('/user', 'PUT')],
    ['verification', attempting('/verify')],
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
    const { status } = await attempting('/recover')()
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
          payload: {},
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
    const all = await Promise.all(Array.from({ length: 40 }, async () => (await signInAttempt()).status))
    expect(count(all, 429)).toBe(10)
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
  server.services.config.rateLimitFactor = 1 / 30
  let { refresh_token: token } = await newUser(server)
  for (let round = 0; round < 4; round += 1) {
    const response = await refresh(server, token)
    expect(response.status).toBe(200)
    token = sessionOf(response).refresh_token
  }
})
