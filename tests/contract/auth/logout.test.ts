// POST /logout. supabase/auth internal/api/logout.go; bearer rules of internal/api/auth.go.
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '#tests/support/shared-server.ts'
import { call, createDevice, newUser, PASSWORD, refresh, sessionOf, signIn } from './auth-client.ts'

const server = useTestServer()

/** One user on three devices. */
async function threeDevices() {
  const first = await newUser(server)
  const second = sessionOf(await signIn(server, first.user.email))
  const third = sessionOf(await signIn(server, first.user.email))
  return [first, second, third] as const
}

async function statusOf(token: string): Promise<number> {
  return (await call(server, 'GET', '/user', { token })).status
}

describe('signing out', () => {
  it.each([
    ['', [403, 403, 403]],
    ['?scope=global', [403, 403, 403]],
    ['?scope=local', [403, 200, 200]],
    ['?scope=others', [200, 403, 403]],
  ])('with %j leaves the sessions with status %j', async (query, expected) => {
    const sessions = await threeDevices()
    const otherUser = await newUser(server)
    const response = await call(server, 'POST', `/logout${query}`, { token: sessions[0].access_token })
    expect(response.status).toBe(204)
    expect(response.body).toBeUndefined()
    expect(response.headers.get('content-type')).toBeNull()
    const statuses = await Promise.all(sessions.map(async ({ access_token: token }) => statusOf(token)))
    expect(statuses).toEqual(expected)
    const refreshes = await Promise.all(sessions.map(async (one) => refresh(server, one.refresh_token)))
    expect(refreshes.map(({ status }) => (status === 200 ? 200 : 403))).toEqual(expected)
    expect(await statusOf(otherUser.access_token)).toBe(200)
  })

  it('rejects an unknown scope and changes nothing', async () => {
    const [{ access_token: token }] = await threeDevices()
    const response = await call(server, 'POST', '/logout?scope=everywhere', { token })
    expect(response.status).toBe(400)
    expect(response.body).toEqual({
      code: 'validation_failed',
      message: 'Unsupported logout scope "everywhere"',
    })
    expect(await statusOf(token)).toBe(200)
  })

  it('works through auth-js', async () => {
    const device = createDevice(server)
    await device.signUp({ email: 'device@example.com', password: PASSWORD })
    expect((await device.signOut({ scope: 'global' })).error).toBeNull()
    expect((await device.getSession()).data.session).toBeNull()
  })
})

describe('a bearer token is rejected', () => {
  const now = () => Math.floor(server.clock.now().getTime() / 1000)
  const sign = async (claims: Record<string, unknown>, secret = server.services.keys.secret) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(secret)
  const sub = '7d9f3f5e-6a0b-4c52-9f25-1f4f4ad0f0aa'
  const unverified = 'invalid JWT: unable to parse or verify signature, '

  it.each([
    ['no value', undefined],
    ['another scheme', 'Basic abc'],
    ['nothing after Bearer', 'Bearer '],
  ])('when the header has %s', async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const response = await call(server, 'POST', '/logout', { headers })
    expect(response.status).toBe(401)
    expect(response.body).toEqual({
      code: 'no_authorization',
      message: 'This endpoint requires a valid Bearer token',
    })
  })

  it.each([
    [
      'malformed',
      async () => 'garbage',
      403,
      'bad_jwt',
      `${unverified}token is malformed: token contains an invalid number of segments`,
    ],
    [
      'forged',
      async () => sign({ sub }, new Uint8Array(32).fill(1)),
      403,
      'bad_jwt',
      `${unverified}token signature is invalid: signature is invalid`,
    ],
    [
      'expired',
      async () => sign({ sub, exp: now() }),
      403,
      'bad_jwt',
      `${unverified}token has invalid claims: token is expired`,
    ],
    [
      'the public key',
      async () => server.services.keys.anonKey,
      403,
      'bad_jwt',
      'invalid claim: missing sub claim',
    ],
    [
      'for something other than an account id',
      async () => sign({ sub: 'me' }),
      400,
      'bad_jwt',
      'invalid claim: sub claim must be a UUID',
    ],
    [
      'for an unknown account',
      async () => sign({ sub }),
      403,
      'user_not_found',
      'User from sub claim in JWT does not exist',
    ],
    [
      'for another audience',
      async () => sign({ sub, aud: 'others' }),
      400,
      'validation_failed',
      "Token audience doesn't match request audience",
    ],
  ])('when it is %s', async (_name, make, status, code, message) => {
    const response = await call(server, 'POST', '/logout', { token: await make() })
    expect(response.body).toEqual({ code, message })
    expect(response.status).toBe(status)
  })

  it('when its session belongs to another user', async () => {
    const [mine] = await threeDevices()
    const [theirs] = await threeDevices()
    const sessionId = (await call(server, 'POST', '/token?grant_type=password', {
      body: { email: theirs.user.email, password: PASSWORD },
    }).then(({ headers }) => headers.get('sb-auth-session-id'))) as unknown
    const crossed = await sign({ sub: mine.user.id, session_id: sessionId, aud: 'authenticated' })
    const response = await call(server, 'POST', '/logout', { token: crossed })
    expect(response.status).toBe(403)
    expect(response.body).toEqual({
      code: 'session_not_found',
      message: 'Session from session_id claim in JWT does not exist',
    })
  })

  it('when its account is banned', async () => {
    const [{ access_token: token, user }] = await threeDevices()
    await server.database.pool.query("update auth.users set banned_until = 'infinity' where id = $1", [
      user.id,
    ])
    const response = await call(server, 'POST', '/logout', { token })
    expect(response.status).toBe(403)
    expect(response.body).toEqual({ code: 'user_banned', message: 'User is banned' })
  })
})
