// POST /token?grant_type=refresh_token. supabase/auth internal/tokens/service.go RefreshTokenGrant, with the hosted
// service's reuse interval of 10 s and rotation on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { call, claimsOf, createDevice, newPerson, PASSWORD, refresh, sessionOf } from './auth-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

const refused = (code: string, message: string) => ({ code, message: `Invalid Refresh Token: ${message}` })
const ALREADY_USED = refused('refresh_token_already_used', 'Already Used')
const NOT_FOUND = refused('refresh_token_not_found', 'Refresh Token Not Found')

describe('a refresh', () => {
  it('gives a new pair for the same session, with what began it', async () => {
    const first = await newPerson(server)
    server.clock.advance(1800)
    const answer = await refresh(server, first.refresh_token)
    expect(answer.status).toBe(200)
    const second = sessionOf(answer)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second.user).toEqual(first.user)
    const now = server.clock.now().getTime() / 1000
    const before = claimsOf(first.access_token)
    expect(claimsOf(second.access_token)).toEqual({ ...Object(before), iat: now, exp: now + 3600 })
    expect(second.expires_at).toBe(now + 3600)
    // Only the password grant speaks of weak passwords.
    expect(answer.body).not.toHaveProperty('weak_password')
    expect(answer.headers.get('sb-auth-refresh-token-prefix')).toBe(second.refresh_token.slice(0, 5))
  })

  it('carries on for as long as the chain is used', async () => {
    let session = await newPerson(server)
    for (let day = 0; day < 40; day += 1) {
      server.clock.advance(86_400)
      session = sessionOf(await refresh(server, session.refresh_token))
    }
    expect((await call(server, 'GET', '/user', { token: session.access_token })).status).toBe(200)
  })

  it('notes when and from where the session was used last', async () => {
    const { refresh_token: token, user } = await newPerson(server)
    server.clock.advance(60)
    await call(server, 'POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: token },
      headers: { 'user-agent': 'another device' },
    })
    const { rows } = await server.database.pool.query(
      'select refreshed_at, user_agent, host(ip) as ip from auth.sessions where user_id = $1',
      [user.id],
    )
    expect(rows).toEqual([
      { refreshed_at: server.clock.now(), user_agent: 'another device', ip: '127.0.0.1' },
    ])
  })
})

describe('the same refresh token again', () => {
  it('gives the same active token, at any age: the first answer may have been lost', async () => {
    const { refresh_token: first } = await newPerson(server)
    const second = sessionOf(await refresh(server, first))
    server.clock.advance(30 * 86_400)
    const again = sessionOf(await refresh(server, first))
    expect(again.refresh_token).toBe(second.refresh_token)
    expect((await call(server, 'GET', '/user', { token: again.access_token })).status).toBe(200)
    expect((await refresh(server, second.refresh_token)).status).toBe(200)
  })

  it('still works within 10 s when the chain has gone on, with a token of its own', async () => {
    const { refresh_token: first } = await newPerson(server)
    const second = sessionOf(await refresh(server, first))
    const third = sessionOf(await refresh(server, second.refresh_token))
    server.clock.advance(10)
    const late = sessionOf(await refresh(server, first))
    expect([first, second.refresh_token, third.refresh_token]).not.toContain(late.refresh_token)
    expect((await refresh(server, third.refresh_token)).status).toBe(200)
    expect((await refresh(server, late.refresh_token)).status).toBe(200)
  })

  it('later than that means that somebody stole it: the whole family ends', async () => {
    const { refresh_token: first } = await newPerson(server)
    const second = sessionOf(await refresh(server, first))
    const third = sessionOf(await refresh(server, second.refresh_token))
    server.clock.advance(11)
    const stolen = await refresh(server, first)
    expect(stolen.status).toBe(400)
    expect(stolen.body).toEqual(ALREADY_USED)
    for (const token of [third.refresh_token, second.refresh_token, first]) {
      expect((await refresh(server, token)).body).toEqual(ALREADY_USED)
    }
  })

  it('ends only the family it belongs to', async () => {
    const { refresh_token: first, user } = await newPerson(server)
    const elsewhere = await call(server, 'POST', '/token?grant_type=password', {
      body: { email: user.email, password: PASSWORD },
    })
    const second = sessionOf(await refresh(server, first))
    await refresh(server, second.refresh_token)
    server.clock.advance(11)
    await refresh(server, first)
    expect((await refresh(server, sessionOf(elsewhere).refresh_token)).status).toBe(200)
  })
})

describe('two tabs that refresh at the same moment', () => {
  it('both get the same valid token, however many there are', async () => {
    const { refresh_token: token } = await newPerson(server)
    const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(server, token)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    const issued = new Set(answers.map((answer) => sessionOf(answer).refresh_token))
    expect(issued.size).toBe(1)
    for (const next of issued) expect((await refresh(server, next)).status).toBe(200)
  })

  it('never leave two active tokens behind, round after round', async () => {
    const { refresh_token: first, user } = await newPerson(server)
    let token = first
    for (let round = 0; round < 10; round += 1) {
      server.clock.advance(60)
      const tabs = await Promise.all([refresh(server, token), refresh(server, token), refresh(server, token)])
      const issued = new Set(tabs.map((answer) => sessionOf(answer).refresh_token))
      expect(issued.size).toBe(1)
      for (const next of issued) token = next
    }
    const { rows } = await server.database.pool.query(
      'select count(*)::int as active from auth.refresh_tokens where user_id = $1 and not revoked',
      [user.id],
    )
    expect(rows).toEqual([{ active: 1 }])
  })
})

describe('a refresh is refused', () => {
  it.each([
    ['', 'Refresh token is not valid'],
    ['short', 'Refresh token is not valid'],
    ['UPPERCASE123', 'Refresh token is not valid'],
    ["a' or 1=1 --", 'Refresh token is not valid'],
  ])('for %j, which is no refresh token', async (token, message) => {
    const answer = await refresh(server, token)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ code: 'validation_failed', message })
  })

  it.each(['abcdefghijkl', 'A'.repeat(60)])('for %j, which was never issued', async (token) => {
    const answer = await refresh(server, token)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(NOT_FOUND)
  })

  it('after logout', async () => {
    const session = await newPerson(server)
    await call(server, 'POST', '/logout?scope=local', { token: session.access_token })
    expect((await refresh(server, session.refresh_token)).body).toEqual(NOT_FOUND)
  })

  it('to a banned account', async () => {
    const session = await newPerson(server)
    await server.database.pool.query("update auth.users set banned_until = 'infinity' where id = $1", [
      session.user.id,
    ])
    expect((await refresh(server, session.refresh_token)).body).toEqual(refused('user_banned', 'User Banned'))
  })

  it('when the session was given an end and that has come', async () => {
    const session = await newPerson(server)
    await server.database.pool.query('update auth.sessions set not_after = $2 where user_id = $1', [
      session.user.id,
      server.clock.now(),
    ])
    server.clock.advance(1)
    expect((await refresh(server, session.refresh_token)).body).toEqual(
      refused('session_expired', 'Session Expired'),
    )
  })

  it('when the account was deleted', async () => {
    const session = await newPerson(server)
    await server.database.pool.query('delete from auth.users where id = $1', [session.user.id])
    expect((await refresh(server, session.refresh_token)).body).toEqual(NOT_FOUND)
  })

  it('with 503 when others hold the session for too long, so that auth-js asks again', async () => {
    const session = await newPerson(server)
    const patience = await server.database.pool.query(
      "select proconfig @> array['lock_timeout=5s'] as is_5s from pg_proc where proname = 'rotate_refresh_token'",
    )
    expect(patience.rows).toEqual([{ is_5s: true }])
    await server.database.pool.query(
      "alter function intercede.rotate_refresh_token set lock_timeout = '20ms'",
    )
    const holder = await server.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from auth.sessions where user_id = $1 for update', [session.user.id])
    const answer = await refresh(server, session.refresh_token)
    await holder.query('rollback')
    holder.release()
    expect(answer.status).toBe(503)
    expect(answer.body).toEqual({
      code: 'unexpected_failure',
      message: 'The database took too long to answer. Try again in a moment.',
    })
    expect((await refresh(server, session.refresh_token)).status).toBe(200)
  })
})

it('works through auth-js, which stores the new pair', async () => {
  const device = createDevice(server)
  const { data } = await device.signUp({ email: 'device@example.com', password: PASSWORD })
  const refreshed = await device.refreshSession({ refresh_token: data.session?.refresh_token ?? '' })
  expect(refreshed.error).toBeNull()
  expect(refreshed.data.session?.refresh_token).not.toBe(data.session?.refresh_token)
  const gone = await device.refreshSession({ refresh_token: 'abcdefghijkl' })
  expect(gone.error).toMatchObject({ code: 'refresh_token_not_found', status: 400 })
})
