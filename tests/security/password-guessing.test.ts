import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countFailure, FREE_FAILURES } from '#server/auth/password-attempts.ts'
import {
  call,
  endWaits,
  lengthenWaits,
  newUser,
  PASSWORD,
  sessionOf,
} from '#tests/contract/auth/auth-client.ts'
import {
  type App,
  appOf,
  codeOf,
  enroll,
  nextCodeOf,
  wrongCodeOf,
} from '#tests/contract/auth/two-factor-client.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const OWNER = 'ruth@example.org'
const HOME = '198.51.100.7'
const SAME_NETWORK = '198.51.100.200'
const ELSEWHERE = '192.0.2.1'

const server = useTestServer({ config: { rateLimitFactor: 1, trustProxy: true } })

beforeAll(() => lengthenWaits(server))

beforeEach(async () => {
  await server.database.pool.query('truncate intercede.rate_limits, intercede.failed_sign_ins')
  await server.database.pool.query('delete from auth.users')
  await newUser(server, OWNER, HOME)
})

async function request(path: string, from: string, password: string, email = OWNER) {
  return call(server, 'POST', path, { body: { email, password }, headers: { 'x-forwarded-for': from } })
}

async function signIn(from: string, password: string, email = OWNER): Promise<number> {
  return (await request('/token?grant_type=password', from, password, email)).status
}

/** The status of each of a number of guesses, from as many networks. */
async function guess(times: number, email = OWNER): Promise<number[]> {
  const statuses: number[] = []
  for (let number = 0; number < times; number += 1) {
    statuses.push(await signIn(`10.${String(number)}.0.1`, `guess ${String(number)}`, email))
  }
  return statuses
}

function count(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length
}

describe('guessing the password of one account from many networks', () => {
  it('gets ten guesses checked, and a response that says nothing else', async () => {
    const statuses = await guess(30)
    expect([count(statuses, 400), count(statuses, 429)]).toEqual([FREE_FAILURES, 30 - FREE_FAILURES])
    const { body } = await request('/token?grant_type=password', ELSEWHERE, 'another guess')
    expect(body).toEqual({ code: 'over_request_rate_limit', message: 'Request rate limit reached' })
  })

  it('gets no more of them checked when they arrive at once', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 25 }, async (_, number) => signIn(`10.${String(number)}.0.1`, 'guess')),
    )
    expect(count(statuses, 400)).toBe(FREE_FAILURES)
  })

  it('has to wait twice as long after each further one, an hour at most', async () => {
    await guess(FREE_FAILURES)
    const waits: number[] = []
    for (let attempt = 0; attempt < 14; attempt += 1) {
      const { rows } = await server.database.pool.query<{ seconds: number }>(
        `select extract(epoch from blocked_until - updated_at - interval '1 hour')::float8 as seconds
         from intercede.failed_sign_ins`,
      )
      waits.push(...rows.map(({ seconds }) => seconds))
      expect(await signIn(ELSEWHERE, 'guess')).toBe(429)
      await endWaits(server)
      expect(await signIn(ELSEWHERE, 'guess')).toBe(400)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600])
  })

  it('does not lock the owner out on a network that the account has signed in from', async () => {
    await guess(FREE_FAILURES + 5)
    expect(await signIn(ELSEWHERE, PASSWORD)).toBe(429)
    for (let attempt = 0; attempt < FREE_FAILURES + 1; attempt += 1) {
      expect(await signIn(SAME_NETWORK, 'mistyped')).toBe(400)
    }
    expect(await signIn(SAME_NETWORK, PASSWORD)).toBe(200)
    expect(await signIn(ELSEWHERE, PASSWORD)).toBe(429)
  })

  it('looks the same for an address without an account', async () => {
    const known = await guess(15)
    expect(await guess(15, 'unknown@example.org')).toEqual(known)
  })

  it('is slowed down after a crash of PostgreSQL as before', async () => {
    await guess(FREE_FAILURES)
    const { rows } = await server.database.pool.query<{ name: string; kept: boolean }>(
      `select relname as name, relpersistence = 'p' as kept from pg_class
       where oid in ('intercede.rate_limits'::regclass, 'intercede.failed_sign_ins'::regclass,
                     'intercede.known_networks'::regclass) order by 1`,
    )
    expect(rows).toEqual([
      { name: 'failed_sign_ins', kept: true },
      { name: 'known_networks', kept: true },
      { name: 'rate_limits', kept: false },
    ])
    // What a crash does to unlogged tables.
    await server.database.pool.query('truncate intercede.rate_limits')
    expect(await signIn(ELSEWHERE, 'guess')).toBe(429)
  })

  it('is not blocked for years by a clock that was ahead', async () => {
    await guess(FREE_FAILURES)
    await server.database.pool.query(
      `update intercede.failed_sign_ins set blocked_until = blocked_until + interval '3 years'`,
    )
    expect(await signIn(ELSEWHERE, PASSWORD)).toBe(200)
  })
})

describe('the right password', () => {
  it('is not slowed down by mistyped ones at another server, whose clock is ahead', async () => {
    server.clock.advance(60)
    expect(await signIn(ELSEWHERE, 'mistyped')).toBe(400)
    server.clock.advance(-60)
    expect(await signIn(ELSEWHERE, PASSWORD)).toBe(200)
  })

  it('forgets the mistyped ones, and makes the network known', async () => {
    await guess(FREE_FAILURES - 1)
    expect(await signIn(ELSEWHERE, PASSWORD)).toBe(200)
    expect(count(await guess(20), 400)).toBe(FREE_FAILURES)
    expect(await signIn(ELSEWHERE, PASSWORD)).toBe(200)
  })

  it('is accepted in a known IPv6 network of the size that providers assign', async () => {
    expect(await signIn('2001:db8:7:1::1', PASSWORD)).toBe(200)
    await guess(20)
    expect(await signIn('2001:db8:7:ffff::2', PASSWORD)).toBe(200)
    expect(await signIn('2001:db8:8:1::1', PASSWORD)).toBe(429)
  })
})

describe('with two-factor sign-in', () => {
  const verify = (from: string, token: string, app: App, code: string) =>
    call(server, 'POST', `/factors/${app.factorId}/verify`, {
      token,
      body: { challenge_id: app.factorId, code },
      headers: { 'x-forwarded-for': from },
    })

  /** An app whose code the owner has given at home, and that can be asked for any number of codes. */
  async function turnOn() {
    const owner = sessionOf(await request('/token?grant_type=password', HOME, PASSWORD))
    const app = appOf(await enroll(server, owner.access_token))
    await server.database.pool.query(
      `create or replace function public.keep_challenge() returns trigger language plpgsql as 'begin return null; end';
       create or replace trigger keep_challenge before delete on auth.mfa_challenges
         for each row execute function public.keep_challenge()`,
    )
    await server.database.pool.query(
      'insert into auth.mfa_challenges (id, factor_id, created_at) values ($1, $1, $2)',
      [app.factorId, server.clock.now()],
    )
    sessionOf(await verify(HOME, owner.access_token, app, codeOf(server, app)))
    return app
  }

  it('a network counts as the account’s once a code was given there, not by a password', async () => {
    await turnOn()
    const emptied = () => server.database.pool.query('truncate intercede.rate_limits')
    expect(await signIn(ELSEWHERE, PASSWORD)).toBe(200)
    await guess(FREE_FAILURES + 1)
    await emptied()
    expect(await signIn(ELSEWHERE, 'guess')).toBe(429)
    expect(await signIn(SAME_NETWORK, 'guess')).toBe(400)
  })

  it('wrong codes elsewhere keep nobody out on a network from which a code was given', async () => {
    const app = await turnOn()
    const { access_token: token } = sessionOf(
      await request('/token?grant_type=password', ELSEWHERE, PASSWORD),
    )
    const statuses: number[] = []
    for (let number = 0; number <= FREE_FAILURES; number += 1) {
      statuses.push((await verify(`10.${String(number)}.0.1`, token, app, wrongCodeOf(server, app))).status)
    }
    expect(count(statuses, 422)).toBe(FREE_FAILURES)
    const right = nextCodeOf(server, app)
    expect((await verify(ELSEWHERE, token, app, right)).status).toBe(429)
    expect((await verify(SAME_NETWORK, token, app, right)).status).toBe(200)
  })
})

it('a new password makes all networks but that of its owner unknown', async () => {
  expect(await signIn(ELSEWHERE, PASSWORD)).toBe(200)
  const { access_token: token } = sessionOf(await request('/token?grant_type=password', HOME, PASSWORD))
  const body = { password: 'a louder horse' }
  await call(server, 'PUT', '/user', { token, body, headers: { 'x-forwarded-for': HOME } })
  await guess(FREE_FAILURES)
  expect([await signIn(ELSEWHERE, 'guess'), await signIn(HOME, 'a louder horse')]).toEqual([429, 200])
})

it('codes and passwords are counted apart: signing in as the key of somebody’s codes blocks none of them', async () => {
  const { rows } = await server.database.pool.query<{ id: string }>('select id from auth.users')
  const id = rows[0]?.id ?? ''
  for (const email of [`codes of ${id}`, `app-code ${id}`, `reauthentication ${id}`, `emailed-code ${id}`]) {
    await guess(FREE_FAILURES + 1, email)
  }
  const attempts = ['app-code', 'emailed-code'] as const
  for (const kind of attempts) {
    await expect(countFailure(server.services, { kind, subject: id })).resolves.toBeUndefined()
  }
})

it('stores neither email addresses nor networks in readable form', async () => {
  await guess(1)
  const { rows } = await server.database.pool.query<{ row: string }>(
    `select f::text as row from intercede.failed_sign_ins f
     union all select n::text from intercede.known_networks n`,
  )
  expect(rows).toHaveLength(2)
  for (const { row } of rows) expect(row).not.toMatch(/ruth|198\.51|10\.0\.0/)
})
