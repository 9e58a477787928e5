// POST /token?grant_type=refresh_token. supabase/auth internal/tokens/service.go RefreshTokenGrant, with rotation and a
// reuse interval of 10 s, as on Supabase's hosted service, but with one valid token per session (decision 15).
import { describe, expect, it } from 'vitest'
import { sendRaw, statusesIn } from '#tests/security/raw-connection.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import {
  call,
  claimsOf,
  createDevice,
  newUser,
  PASSWORD,
  refresh,
  sessionOf,
  signIn,
  type WireSession,
} from './auth-client.ts'

const server = useTestServer()

const invalidToken = (code: string, message: string) => ({
  code,
  message: `Invalid Refresh Token: ${message}`,
})
const ALREADY_USED = invalidToken('refresh_token_already_used', 'Already Used')
const NOT_FOUND = invalidToken('refresh_token_not_found', 'Refresh Token Not Found')
const ENDED = invalidToken('session_not_found', 'No Valid Session Found')

describe('a refresh', () => {
  it('returns new tokens for the same session, with the original sign-in method', async () => {
    const first = await newUser(server)
    server.clock.advance(1800)
    const response = await refresh(server, first.refresh_token)
    expect(response.status).toBe(200)
    const second = sessionOf(response)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second.user).toEqual(first.user)
    const now = server.clock.now().getTime() / 1000
    const before = claimsOf(first.access_token)
    expect(claimsOf(second.access_token)).toEqual({ ...Object(before), iat: now, exp: now + 3600 })
    expect(second.expires_at).toBe(now + 3600)
    // Only the password grant reports weak passwords.
    expect(response.body).not.toHaveProperty('weak_password')
    expect(response.headers.get('sb-auth-refresh-token-prefix')).toBe(second.refresh_token.slice(0, 5))
  })

  it('keeps a session alive as long as it is used', async () => {
    let session = await newUser(server)
    for (let day = 0; day < 40; day += 1) {
      server.clock.advance(86_400)
      session = sessionOf(await refresh(server, session.refresh_token))
    }
    expect((await call(server, 'GET', '/user', { token: session.access_token })).status).toBe(200)
  })

  it('stores when and from where the session was last used', async () => {
    const { refresh_token: token, user } = await newUser(server)
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

  it.each([
    ['UTF-8', 'utf8'],
    ['Latin-1', 'latin1'],
  ] as const)('stores a user agent that is sent in %s', async (_, encoding) => {
    const { refresh_token: token, user } = await newUser(server)
    const body = JSON.stringify({ refresh_token: token })
    const head = [
      'POST /auth/v1/token?grant_type=refresh_token HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      `apikey: ${server.services.keys.anonKey}`,
      `User-Agent: ${Buffer.from('Café', encoding).toString('latin1')}`,
      `Content-Length: ${String(body.length)}`,
    ]
    expect(statusesIn(await sendRaw(server, `${head.join('\r\n')}\r\n\r\n${body}`))).toEqual([200])
    const { rows } = await server.database.pool.query(
      'select user_agent from auth.sessions where user_id = $1',
      [user.id],
    )
    expect(rows).toEqual([{ user_agent: 'Café' }])
  })
})

describe('using a refresh token again', () => {
  it('returns the same active token at any age, because the first response may have been lost', async () => {
    const { refresh_token: first } = await newUser(server)
    const second = sessionOf(await refresh(server, first))
    server.clock.advance(30 * 86_400)
    const again = sessionOf(await refresh(server, first))
    expect(again.refresh_token).toBe(second.refresh_token)
    expect((await call(server, 'GET', '/user', { token: again.access_token })).status).toBe(200)
    expect((await refresh(server, second.refresh_token)).status).toBe(200)
  })

  it('returns the same successor within 10 s, whatever has happened since: a session never has two valid tokens', async () => {
    const { refresh_token: first } = await newUser(server)
    const second = sessionOf(await refresh(server, first))
    const third = sessionOf(await refresh(server, second.refresh_token))
    server.clock.advance(10)
    const late = sessionOf(await refresh(server, first))
    expect(late.refresh_token).toBe(second.refresh_token)
    // Of two sides, only one can go on.
    expect((await refresh(server, third.refresh_token)).status).toBe(200)
    server.clock.advance(1)
    expect((await refresh(server, late.refresh_token)).body).toEqual(ALREADY_USED)
  })

  it('revokes all tokens of the session after more than 10 s, because the token may be stolen', async () => {
    const { refresh_token: first } = await newUser(server)
    const second = sessionOf(await refresh(server, first))
    server.clock.advance(11)
    const third = sessionOf(await refresh(server, second.refresh_token))
    const stolen = await refresh(server, first)
    expect(stolen.status).toBe(400)
    expect(stolen.body).toEqual(ALREADY_USED)
    for (const token of [third.refresh_token, second.refresh_token, first]) {
      expect((await refresh(server, token)).body).toEqual(ALREADY_USED)
    }
  })

  it('does so even after the used token was deleted, as most are within minutes', async () => {
    const { refresh_token: first, user } = await newUser(server)
    let token = first
    for (let count = 0; count < 5; count += 1) {
      server.clock.advance(61)
      token = sessionOf(await refresh(server, token)).refresh_token
    }
    const { rows } = await server.database.pool.query('select from auth.refresh_tokens where user_id = $1', [
      user.id,
    ])
    expect(rows).toHaveLength(2)
    expect((await refresh(server, first)).body).toEqual(ALREADY_USED)
    expect((await refresh(server, token)).body).toEqual(ALREADY_USED)
  })

  it('revokes only the tokens of its own session', async () => {
    const { refresh_token: first, user } = await newUser(server)
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

describe('concurrent refreshes of several tabs', () => {
  it('return the same valid token, however many there are', async () => {
    const { refresh_token: token } = await newUser(server)
    const responses = await Promise.all(Array.from({ length: 12 }, () => refresh(server, token)))
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    const issued = new Set(responses.map((response) => sessionOf(response).refresh_token))
    expect(issued.size).toBe(1)
    for (const next of issued) expect((await refresh(server, next)).status).toBe(200)
  })

  it('never leave two active tokens, round after round', async () => {
    const { refresh_token: first, user } = await newUser(server)
    let token = first
    for (let round = 0; round < 10; round += 1) {
      server.clock.advance(60)
      const tabs = await Promise.all([refresh(server, token), refresh(server, token), refresh(server, token)])
      const issued = new Set(tabs.map((response) => sessionOf(response).refresh_token))
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

describe('a refresh is rejected', () => {
  it.each(['', 'short', 'UPPERCASE123', "' or '1'='1", '*', '%', '____________'])(
    'for %j, which is not a refresh token',
    async (token) => {
      const response = await refresh(server, token)
      expect(response.status).toBe(400)
      expect(response.body).toEqual({ code: 'validation_failed', message: 'Refresh token is not valid' })
    },
  )

  it.each(['abcdefghijkl', 'A'.repeat(60)])('for %j, which was never issued', async (token) => {
    const response = await refresh(server, token)
    expect(response.status).toBe(400)
    expect(response.body).toEqual(NOT_FOUND)
  })

  it('for a banned account', async () => {
    const session = await newUser(server)
    await server.database.pool.query("update auth.users set banned_until = 'infinity' where id = $1", [
      session.user.id,
    ])
    expect((await refresh(server, session.refresh_token)).body).toEqual(
      invalidToken('user_banned', 'User Banned'),
    )
  })

  it('when the session has passed its end', async () => {
    const session = await newUser(server)
    await server.database.pool.query('update auth.sessions set not_after = $2 where user_id = $1', [
      session.user.id,
      server.clock.now(),
    ])
    server.clock.advance(1)
    expect((await refresh(server, session.refresh_token)).body).toEqual(
      invalidToken('session_expired', 'Session Expired'),
    )
  })

  it('with 503 when the session stays locked for too long, so that auth-js tries again', async () => {
    const session = await newUser(server)
    const timeout = await server.database.pool.query(
      "select proconfig @> array['lock_timeout=5s'] as is_5s from pg_proc where proname = 'rotate_refresh_token'",
    )
    expect(timeout.rows).toEqual([{ is_5s: true }])
    const setTimeLimit = (limit: string) =>
      server.database.pool.query(
        `alter function intercede.rotate_refresh_token set lock_timeout = '${limit}'`,
      )
    await setTimeLimit('20ms')
    const holder = await server.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from auth.sessions where user_id = $1 for update', [session.user.id])
    const response = await refresh(server, session.refresh_token)
    await holder.query('rollback')
    holder.release()
    await setTimeLimit('5s')
    expect(response.status).toBe(503)
    expect(response.body).toEqual({
      code: 'unexpected_failure',
      message: 'The database took too long to respond. Try again in a moment.',
    })
    expect((await refresh(server, session.refresh_token)).status).toBe(200)
  })
})

describe('a session that was ended on purpose', () => {
  const elsewhere = async ({ user }: WireSession) => sessionOf(await signIn(server, user.email)).access_token

  it.each<[string, (owner: WireSession) => Promise<unknown>]>([
    ['signing out', ({ access_token: token }) => call(server, 'POST', '/logout?scope=local', { token })],
    [
      'signing out all other devices',
      async (owner) => call(server, 'POST', '/logout?scope=others', { token: await elsewhere(owner) }),
    ],
    [
      'signing out everywhere',
      async (owner) => call(server, 'POST', '/logout?scope=global', { token: await elsewhere(owner) }),
    ],
    [
      'a new password',
      async (owner) =>
        call(server, 'PUT', '/user', { body: { password: 'a louder hour' }, token: await elsewhere(owner) }),
    ],
    [
      'deleting the account',
      ({ user }) => server.database.pool.query('delete from auth.users where id = $1', [user.id]),
    ],
  ])('by %s is known to be, for its last and its used tokens', async (_name, end) => {
    const owner = await newUser(server)
    const { refresh_token: last } = sessionOf(await refresh(server, owner.refresh_token))
    await end(owner)
    for (const token of [last, owner.refresh_token]) {
      const response = await refresh(server, token)
      expect([response.status, response.body]).toEqual([400, ENDED])
    }
  })

  it('is known to be if its token is one that was moved here from elsewhere', async () => {
    const { access_token: token, user } = await newUser(server)
    await server.database.pool.query(
      `update auth.refresh_tokens set token = 'abcdefabcdef' where user_id = $1`,
      [user.id],
    )
    await call(server, 'POST', '/logout?scope=local', { token })
    expect((await refresh(server, 'abcdefabcdef')).body).toEqual(ENDED)
  })

  it('differs from one that the server has lost', async () => {
    const { refresh_token: token } = await newUser(server)
    await server.database.pool.query('truncate auth.sessions cascade')
    expect((await refresh(server, token)).body).toEqual(NOT_FOUND)
  })

  it('is among the hundred of its account that are remembered, as hashes', async () => {
    const { pool } = server.database
    const { access_token: token, refresh_token: last, user } = await newUser(server)
    await pool.query(
      `with session as (
         insert into auth.sessions (id, user_id) select gen_random_uuid(), $1 from generate_series(1, 120) returning id
       ) insert into auth.refresh_tokens (token, user_id, revoked, session_id)
         select repeat('a', 26) || left(md5(id::text), 26), $1::text, false, id from session`,
      [user.id],
    )
    const remembered = async () => {
      const { rows } = await pool.query<{ sessions: number; bytes: number }>(
        `select count(*)::int as sessions, min(octet_length(session_hash)) as bytes from intercede.ended_sessions
         where account_hash = sha256(uuid_send($1))`,
        [user.id],
      )
      return rows
    }
    const hundred = [{ sessions: 100, bytes: 32 }]
    await call(server, 'POST', '/logout?scope=others', { token })
    expect(await remembered()).toEqual(hundred)
    await pool.query(`update intercede.ended_sessions set ended_at = ended_at - interval '1 day'`)
    await call(server, 'POST', '/logout?scope=local', { token })
    expect(await remembered()).toEqual(hundred)
    expect((await refresh(server, last)).body).toEqual(ENDED)
  })
})

it('works through auth-js, which stores the new pair', async () => {
  const device = createDevice(server)
  const { data } = await device.signUp({ email: 'device@example.com', password: PASSWORD })
  const refreshed = await device.refreshSession({ refresh_token: data.session?.refresh_token ?? '' })
  expect(refreshed.error).toBeNull()
  expect(refreshed.data.session?.refresh_token).not.toBe(data.session?.refresh_token)
  const unknown = await device.refreshSession({ refresh_token: 'abcdefghijkl' })
  expect(unknown.error).toMatchObject({ code: 'refresh_token_not_found', status: 400 })
})
