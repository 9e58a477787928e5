// Quotas per client address. supabase/auth internal/api/apilimiter, internal/conf/configuration.go.
import { Registry } from 'prom-client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { call, createDevice, newUser, refresh, sessionOf } from './auth-client.ts'

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
    ['changing the account', attempting('/user', 'PUT')],
    ['verification', attempting('/verify')],
    ['codes', attempting('/factors/x/verify')],
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

describe('refreshing a session', () => {
  it('issues ten new tokens a minute; a lost response can be requested again at any time', async () => {
    const { refresh_token: first, user } = await newUser(server)
    const tokens = [first]
    const exchange = async () => refresh(server, tokens.at(-1) ?? '')
    for (let number = 0; number < 10; number += 1) tokens.push(sessionOf(await exchange()).refresh_token)
    const limited = await exchange()
    // On GoTrue's 429, auth-js and others would delete the session.
    expect([limited.status, limited.body]).toEqual([503, LIMITED])
    expect(limited.headers.get('retry-after')).toBe('60')
    expect(sessionOf(await refresh(server, tokens.at(-2) ?? '')).refresh_token).toBe(tokens.at(-1))
    expect((await refresh(server, (await newUser(server)).refresh_token)).status).toBe(200)
    server.clock.advance(61)
    expect((await exchange()).status).toBe(200)
    const { rows } = await server.database.pool.query('select from auth.refresh_tokens where user_id = $1', [
      user.id,
    ])
    expect(rows).toHaveLength(2)
  })

  it('is tried again by auth-js when it was limited', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: server.clock.now() })
    let { refresh_token: token } = await newUser(server)
    for (let number = 0; number < 10; number += 1)
      token = sessionOf(await refresh(server, token)).refresh_token
    const responses: number[] = []
    const send = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      const response = await send(...request)
      responses.push(response.status)
      if (response.status === 503) server.clock.advance(61)
      return response
    })
    const { data, error } = await createDevice(server).refreshSession({ refresh_token: token })
    vi.restoreAllMocks()
    vi.useRealTimers()
    expect(responses).toEqual([503, 200])
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(token)
  })
})
