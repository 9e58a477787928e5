import { describe, expect, it } from 'vitest'
import {
  call,
  claimsOf,
  newUser,
  refresh,
  sessionOf,
  signIn,
  textMember,
  type WireSession,
} from '#tests/contract/auth/auth-client.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))

// What ends one is tested in tests/contract/auth/refresh-grant.test.ts and user.test.ts.
describe('a refresh token', () => {
  it('is too long to be guessed', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 5 }, async () => (await newUser(server)).refresh_token),
    )
    // Two random halves of 130 bits each.
    for (const token of tokens) expect(token).toMatch(/^[a-z2-7]{52}$/)
    expect(new Set(tokens.map((token) => token.slice(0, 8))).size).toBe(tokens.length)
  })
})

describe('a stolen access token', () => {
  async function addCategory(token: string) {
    const body = { name: 'Family', order: 1 }
    return send(server, '/categories', { method: 'POST', token, body })
  }

  it.each<[string, (owner: WireSession) => Promise<unknown>]>([
    ['signing out', ({ access_token: token }) => call(server, 'POST', '/logout?scope=local', { token })],
    [
      'signing out everywhere',
      async ({ user }) => {
        const { access_token: token } = sessionOf(await signIn(server, user.email))
        await call(server, 'POST', '/logout?scope=global', { token })
      },
    ],
    [
      'being signed out in the list of devices',
      async ({ user, access_token: ended }) => {
        const { access_token: token } = sessionOf(await signIn(server, user.email))
        const session_id = textMember(claimsOf(ended), 'session_id')
        await send(server, '/rpc/end_session', { method: 'POST', token, body: { session_id } })
      },
    ],
    [
      'a new password',
      async ({ user }) => {
        const { access_token: token } = sessionOf(await signIn(server, user.email))
        await call(server, 'PUT', '/user', { body: { password: 'a louder hour' }, token })
      },
    ],
    [
      'deleting the account',
      ({ user }) => server.database.pool.query('delete from auth.users where id = $1', [user.id]),
    ],
    [
      'the reuse of a refresh token',
      async ({ refresh_token: first }) => {
        const second = sessionOf(await refresh(server, first))
        await refresh(server, second.refresh_token)
        server.clock.advance(11)
        expect((await refresh(server, first)).status).toBe(400)
      },
    ],
  ])('opens no data after %s, and changes none', async (_name, endSession) => {
    const owner = await newUser(server)
    expect((await addCategory(owner.access_token)).status).toBe(201)
    await endSession(owner)
    const { rows: before } = await server.database.pool.query('select from public.categories')
    const responses = [
      await addCategory(owner.access_token),
      await send(server, '/categories', { token: owner.access_token }),
      await send(server, '/rpc/export_account', { method: 'POST', token: owner.access_token, body: {} }),
    ]
    for (const response of responses) {
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
      expect(response.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' })
    }
    const { rows: after } = await server.database.pool.query('select from public.categories')
    expect(after).toHaveLength(before.length)
    const account = await call(server, 'GET', '/user', { token: owner.access_token })
    expect(account.status).toBe(403)
  })

  it('stays valid when its session is refreshed', async () => {
    const owner = await newUser(server)
    await refresh(server, owner.refresh_token)
    expect((await addCategory(owner.access_token)).status).toBe(201)
  })

  it.each([
    ['', 201],
    ['00000000-0000-0000-0000-000000000000', 201],
    ['00000000-0000-4000-8000-00000000beef', 401],
    ['*', 401],
  ])('that an operator has signed for session "%s" gets %i', async (session_id, status) => {
    const { user } = await newUser(server)
    expect((await addCategory(await accessTokenFor(server.services, user.id, { session_id }))).status).toBe(
      status,
    )
  })
})

describe('a session', () => {
  it('is always new: a session id or token from the client is ignored', async () => {
    const { user, refresh_token: known, access_token: token } = await newUser(server)
    const wanted = '00000000-0000-4000-8000-00000000feed'
    const response = await call(server, 'POST', `/token?grant_type=password&session_id=${wanted}`, {
      body: { email: user.email, password: 'correct horse', session_id: wanted, refresh_token: known },
      token,
      headers: { cookie: `session=${wanted}; sb-refresh-token=${known}` },
    })
    const fresh = sessionOf(response)
    const before = claimsOf(token)
    const after = claimsOf(fresh.access_token)
    expect(fresh.refresh_token).not.toBe(known)
    expect(textMember(after, 'session_id')).not.toBe(wanted)
    expect(textMember(after, 'session_id')).not.toBe(textMember(before, 'session_id'))
  })

  it('cannot be ended by another user', async () => {
    const anna = await newUser(server)
    const ben = await newUser(server)
    for (const scope of ['global', 'others', 'local']) {
      const { access_token: token } = sessionOf(await signIn(server, ben.user.email))
      await call(server, 'POST', `/logout?scope=${scope}&user_id=${anna.user.id}`, {
        token,
        body: { user_id: anna.user.id, session_id: textMember(claimsOf(anna.access_token), 'session_id') },
      })
    }
    expect((await call(server, 'GET', '/user', { token: anna.access_token })).status).toBe(200)
    expect((await refresh(server, anna.refresh_token)).status).toBe(200)
  })
})

describe('an emailed link', () => {
  it('works once, for one address and one purpose', async () => {
    const anna = await newUser(server)
    const ben = await newUser(server)
    await call(server, 'POST', '/recover', { body: { email: anna.user.email } })
    const token = linkIn((await mailbox.emails()).at(-1) ?? '').searchParams.get('token') ?? ''
    const invalid: object[] = [
      { type: 'signup', token_hash: token },
      { type: 'recovery', token, email: ben.user.email },
      { type: 'recovery', token_hash: token.slice(0, -1) },
      { type: 'recovery', token_hash: `${token.slice(0, -1)}*` },
      { type: 'recovery', token_hash: `${token}' or '1'='1` },
    ]
    for (const body of invalid) {
      const response = await call(server, 'POST', '/verify', { body })
      expect([400, 403], JSON.stringify(body)).toContain(response.status)
    }
    const valid = { type: 'recovery', token_hash: token }
    expect(sessionOf(await call(server, 'POST', '/verify', { body: valid })).user.id).toBe(anna.user.id)
    expect((await call(server, 'POST', '/verify', { body: valid })).status).toBe(403)
  })
})
