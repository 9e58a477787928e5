// GET /authorize and GET|POST /callback against a stand-in of X. supabase/auth internal/api/external.go,
// external_oauth.go, provider/x.go; account linking of internal/models/linking.go.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createXProvider } from '#server/auth/x-provider.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { startSurroundings, type Surroundings } from '#tests/support/surroundings.ts'
import type { XUser } from '#tests/support/x-provider.ts'
import { call, claimsOf, PASSWORD, refresh, signIn, signUp, textMember } from './auth-client.ts'

let server: TestServer
let around: Surroundings
let people = 0

beforeAll(async () => {
  around = await startSurroundings()
  server = await startTestServer({ config: around.config })
})

afterAll(async () => {
  await server.close()
  await around.close()
})

const TARGET = 'http://localhost:3000/auth/callback'
const PICTURE = 'https://pbs.twimg.com/profile_images/1/ruth_normal.jpg'

function newPerson(): XUser {
  people += 1
  return {
    id: String(1000 + people),
    name: `Ruth ${String(people)} of Moab`,
    username: `ruth${String(people)}`,
    confirmed_email: `Ruth${String(people)}@Example.com`,
    profile_image_url: PICTURE,
  }
}

beforeEach(() => {
  around.x.behaviour = { user: newPerson() }
})

/** The address of the test server in place of the one it is configured to have. */
function atServer(location: string): string {
  return location.replace('http://localhost:3000/auth/v1', `${server.url}/auth/v1`)
}

async function locationOf(
  address: string,
  init: RequestInit = {},
): Promise<{ status: number; location: string }> {
  const answer = await fetch(address, { redirect: 'manual', ...init })
  return { status: answer.status, location: answer.headers.get('location') ?? '' }
}

async function authorize(query = `redirect_to=${encodeURIComponent(TARGET)}`, provider = 'twitter') {
  return locationOf(`${server.url}/auth/v1/authorize?provider=${provider}&${query}`)
}

/** Goes to the provider and comes back to the server's callback, which is not opened yet. */
async function comeBack(query?: string, provider?: string): Promise<string> {
  const { location } = await authorize(query, provider)
  return atServer((await locationOf(location)).location)
}

/** The whole way, as a browser goes it. */
async function signInWithX(query?: string, provider?: string) {
  return locationOf(await comeBack(query, provider))
}

function fragmentOf(location: string): URLSearchParams {
  return new URLSearchParams(location.split('#')[1])
}

async function userBehind(location: string): Promise<unknown> {
  const token = fragmentOf(location).get('access_token') ?? ''
  return (await call(server, 'GET', '/user', { token })).body
}

describe('going to X', () => {
  it('asks with PKCE, a state and the scopes that are needed', async () => {
    const { status, location } = await authorize(
      `redirect_to=${encodeURIComponent(TARGET)}&scopes=tweet.read%20users.read%20offline.access%20email`,
    )
    expect(status).toBe(302)
    const asked = new URL(location)
    expect(asked.origin + asked.pathname).toBe(around.x.config.authorizeUrl)
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      response_type: 'code',
      client_id: around.x.config.clientId,
      redirect_uri: 'http://localhost:3000/auth/v1/callback',
      // provider/x.go; `email` is the older name of what OAuth 2.0 calls users.email.
      scope: 'users.email tweet.read users.read offline.access',
      state: expect.stringMatching(/^[0-9a-f-]{36}$/),
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('is refused as JSON for a provider that does not exist', async () => {
    const answer = await fetch(`${server.url}/auth/v1/authorize?provider=nope`, { redirect: 'manual' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      code: 400,
      error_code: 'validation_failed',
      msg: 'Unsupported provider: Provider nope could not be found',
    })
  })

  it('is refused as JSON where it is not configured', async () => {
    const without = await startTestServer()
    const answer = await fetch(`${without.url}/auth/v1/authorize?provider=twitter`, { redirect: 'manual' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error_code: 'validation_failed',
      msg: 'Unsupported provider: provider is not enabled',
    })
    await without.close()
  })
})

describe('coming back from X for the first time', () => {
  it('makes an account and hands its session to the web app', async () => {
    const { user: person } = around.x.behaviour
    const { status, location } = await signInWithX()
    expect(status).toBe(302)
    expect(location.startsWith(`${TARGET}#access_token=`)).toBe(true)
    const fragment = fragmentOf(location)
    expect([...fragment.keys()]).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'provider_refresh_token',
      'provider_token',
      'refresh_token',
      'sb',
      'token_type',
    ])
    expect(fragment.get('provider_token')).toBe('provider-access-token')
    expect(claimsOf(fragment.get('access_token') ?? '')).toMatchObject({
      amr: [{ method: 'oauth' }],
      app_metadata: { provider: 'twitter', providers: ['twitter'] },
    })
    const email = person.confirmed_email?.toLowerCase()
    const data = {
      iss: around.x.url,
      sub: person.id,
      name: person.name,
      full_name: person.name,
      avatar_url: PICTURE,
      picture: PICTURE,
      preferred_username: person.username,
      user_name: person.username,
      provider_id: person.id,
      email,
      email_verified: true,
      phone_verified: false,
    }
    expect(await userBehind(location)).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'twitter', providers: ['twitter'] },
      user_metadata: data,
      identities: [{ id: person.id, provider: 'twitter', identity_data: data, email }],
    })
    expect((await refresh(server, fragment.get('refresh_token') ?? '')).status).toBe(200)
  })

  it('works under both names of the provider, and they mean the same person', async () => {
    const first = await userBehind((await signInWithX(undefined, 'x')).location)
    const second = await userBehind((await signInWithX(undefined, 'twitter')).location)
    expect(textMember(second, 'id')).toBe(textMember(first, 'id'))
    expect(second).toMatchObject({ identities: [{ provider: 'x' }] })
  })

  it('works when the answer is posted', async () => {
    const back = new URL(await comeBack())
    const { status, location } = await locationOf(`${server.url}/auth/v1/callback`, {
      method: 'POST',
      body: back.searchParams,
    })
    expect(status).toBe(302)
    expect(location).toContain('#access_token=')
  })

  it('gives no account a password that could be guessed', async () => {
    const email = around.x.behaviour.user.confirmed_email ?? ''
    await signInWithX()
    for (const password of ['', 'null', 'undefined']) {
      expect((await signIn(server, email, password)).status).toBe(400)
    }
  })

  it('keeps nothing of a profile that a page could run', async () => {
    around.x.behaviour.user.profile_image_url = 'javascript:alert(1)'
    around.x.behaviour.user.name = '<img src=x onerror=alert(1)>\0'
    const user = await userBehind((await signInWithX()).location)
    expect(user).toMatchObject({ user_metadata: { full_name: '<img src=x onerror=alert(1)>' } })
    expect(Object(user).user_metadata).not.toHaveProperty('avatar_url')
  })

  it('makes one account of two windows at the same moment', async () => {
    const windows = await Promise.all([comeBack(), comeBack()])
    const arrived = await Promise.all(windows.map(async (back) => locationOf(back)))
    const users = await Promise.all(arrived.map(async ({ location }) => userBehind(location)))
    expect(textMember(users[0], 'id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(textMember(users[1], 'id')).toBe(textMember(users[0], 'id'))
  })
})

describe('coming back from X again', () => {
  it('is the same account, with what X says now', async () => {
    const first = await userBehind((await signInWithX()).location)
    server.clock.advance(60)
    around.x.behaviour.user.name = 'Ruth of Bethlehem'
    around.x.behaviour.user.confirmed_email = 'moved@example.com'
    const second = await userBehind((await signInWithX()).location)
    const [id, email] = [textMember(first, 'id'), textMember(first, 'email')]
    expect(second).toMatchObject({
      id,
      email,
      user_metadata: { full_name: 'Ruth of Bethlehem' },
      identities: [{ last_sign_in_at: server.clock.now().toISOString().replace('.000Z', 'Z') }],
    })
  })

  it('works without an address for a person who is known already', async () => {
    const first = await userBehind((await signInWithX()).location)
    delete around.x.behaviour.user.confirmed_email
    const second = await userBehind((await signInWithX()).location)
    expect(textMember(second, 'id')).toBe(textMember(first, 'id'))
  })
})

describe('an account that has the address already', () => {
  it('is joined, and keeps password and sessions when a mail has shown whose address it is', async () => {
    const email = around.x.behaviour.user.confirmed_email?.toLowerCase() ?? ''
    const before = await signUp(server, email)
    await call(server, 'POST', '/recover', { body: { email } })
    const link = linkIn((await around.mailbox.mails()).at(-1) ?? '')
    await locationOf(`${server.url}${link.pathname}${link.search}`)
    const user = await userBehind((await signInWithX()).location)
    expect(user).toMatchObject({
      id: before.user.id,
      app_metadata: { provider: 'email', providers: ['email', 'twitter'] },
    })
    expect(Object(user).identities).toHaveLength(2)
    expect((await signIn(server, email)).status).toBe(200)
    expect((await refresh(server, before.refresh_token)).status).toBe(200)
  })

  it('is joined, but loses password and sessions when nothing shows who set them', async () => {
    const email = around.x.behaviour.user.confirmed_email?.toLowerCase() ?? ''
    const stranger = await signUp(server, email)
    const user = await userBehind((await signInWithX()).location)
    expect(textMember(user, 'id')).toBe(stranger.user.id)
    expect((await signIn(server, email)).status).toBe(400)
    expect((await refresh(server, stranger.refresh_token)).status).toBe(400)
    expect((await call(server, 'GET', '/user', { token: stranger.access_token })).status).toBe(403)
  })

  it('and was never confirmed keeps nothing of who made it', async () => {
    const email = around.x.behaviour.user.confirmed_email?.toLowerCase() ?? ''
    server.services.config.confirmEmail = true
    await call(server, 'POST', '/signup', { body: { email, password: PASSWORD, data: { color: 'red' } } })
    server.services.config.confirmEmail = false
    const user = await userBehind((await signInWithX()).location)
    expect(Object(user).user_metadata).not.toHaveProperty('color')
    expect(user).toMatchObject({
      app_metadata: { provider: 'twitter', providers: ['twitter'] },
      identities: [{ provider: 'twitter' }],
    })
    expect((await signIn(server, email)).status).toBe(400)
  })
})

describe('what goes wrong ends up in the web app', () => {
  const everywhere = (parameters: string) => `${TARGET}?${parameters}#${parameters}&sb=`

  it.each([
    [{ error: 'access_denied' }, 'error=access_denied&error_description=Signing+in+was+cancelled'],
    [
      { error: 'access_denied', error_description: 'No, thanks' },
      'error=access_denied&error_description=No%2C+thanks',
    ],
    [{ error: 'server_error' }, 'error=server_error&error_description=server_error'],
  ])('when X says %j', async (refusal, expected) => {
    around.x.behaviour.error = refusal
    expect(await signInWithX()).toEqual({ status: 302, location: everywhere(expected) })
  })

  it('when X gives no address: the text that the web app knows', async () => {
    delete around.x.behaviour.user.confirmed_email
    expect((await signInWithX()).location).toBe(
      everywhere(
        'error=server_error&error_code=unexpected_failure&error_description=Error+getting+user+email+from+external+provider',
      ),
    )
  })

  it('when X refuses the code', async () => {
    around.x.behaviour.rejectsCode = true
    const back = await comeBack()
    const code = new URL(back).searchParams.get('code') ?? ''
    expect((await locationOf(back)).location).toBe(
      everywhere(
        `error=server_error&error_code=unexpected_failure&error_description=Unable+to+exchange+external+code%3A+${code.slice(0, 4)}`,
      ),
    )
  })

  it('when X does not tell who it is', async () => {
    around.x.behaviour.profileStatus = 503
    expect((await signInWithX()).location).toBe(
      everywhere(
        'error=server_error&error_code=unexpected_failure&error_description=Error+getting+user+profile+from+external+provider',
      ),
    )
  })

  it('when there is no code', async () => {
    const back = new URL(await comeBack())
    back.searchParams.delete('code')
    expect((await locationOf(back.href)).location).toContain(
      'error=invalid_request&error_code=bad_oauth_callback&error_description=OAuth+callback',
    )
  })

  it('when the account is banned', async () => {
    const user = await userBehind((await signInWithX()).location)
    await server.database.pool.query("update auth.users set banned_until = 'infinity' where id = $1", [
      textMember(user, 'id'),
    ])
    expect((await signInWithX()).location).toBe(
      everywhere('error=access_denied&error_code=user_banned&error_description=User+is+banned'),
    )
  })

  it('when nobody new may sign up, and only then', async () => {
    const known = around.x.behaviour.user
    await signInWithX()
    server.services.config.disableSignup = true
    expect((await signInWithX()).location).toContain('#access_token=')
    around.x.behaviour.user = newPerson()
    const refused = await signInWithX()
    server.services.config.disableSignup = false
    expect(refused.location).toBe(
      everywhere(
        'error=access_denied&error_code=signup_disabled&error_description=Signups+not+allowed+for+this+instance',
      ),
    )
    expect(known.id).not.toBe(around.x.behaviour.user.id)
  })
})

describe('a state', () => {
  const atSite = (code: string, description: string) => ({
    status: 303,
    location: `http://localhost:3000/?error=invalid_request&error_code=${code}&error_description=${description}`,
  })

  it.each([
    ['', 'bad_oauth_callback', 'OAuth+state+parameter+missing'],
    ['?state=', 'bad_oauth_callback', 'OAuth+state+parameter+missing'],
    ['?state=made-up&code=x', 'bad_oauth_state', 'OAuth+state+parameter+is+invalid'],
    [
      '?state=7d9f3f5e-6a0b-4c52-9f25-1f4f4ad0f0aa&code=x',
      'bad_oauth_state',
      'OAuth+state+not+found+or+expired',
    ],
  ])('like %j leads to the site, with the error in its query alone', async (query, code, description) => {
    expect(await locationOf(`${server.url}/auth/v1/callback${query}`)).toEqual(atSite(code, description))
  })

  it('is good once: neither it nor its code can be played again', async () => {
    const back = await comeBack()
    expect((await locationOf(back)).location).toContain('#access_token=')
    expect(await locationOf(back)).toEqual(atSite('bad_oauth_state', 'OAuth+state+not+found+or+expired'))
  })

  it('is good for 300 s', async () => {
    const inTime = await comeBack()
    server.clock.advance(300)
    expect((await locationOf(inTime)).location).toContain('#access_token=')
    const late = await comeBack()
    server.clock.advance(301)
    expect(await locationOf(late)).toEqual(atSite('bad_oauth_state', 'OAuth+state+has+expired'))
  })

  it('of another sign-in does not fit the code', async () => {
    const mine = new URL(await comeBack())
    const theirs = new URL(await comeBack())
    mine.searchParams.set('state', theirs.searchParams.get('state') ?? '')
    expect((await locationOf(mine.href)).location).toContain('error_description=Unable+to+exchange')
  })

  it('is not used up by looking', async () => {
    const back = await comeBack()
    await fetch(back, { method: 'HEAD', redirect: 'manual' })
    expect((await locationOf(back)).location).toContain('#access_token=')
  })

  it('that comes back changed is refused', async () => {
    around.x.behaviour.state = '7d9f3f5e-6a0b-4c52-9f25-1f4f4ad0f0ab'
    expect(await signInWithX()).toEqual(atSite('bad_oauth_state', 'OAuth+state+not+found+or+expired'))
  })
})

it.each(['https://evil.example/', 'http://localhost:3000.evil.example/', '//evil.example/'])(
  'never hands a session to %s',
  async (evil) => {
    const { location } = await signInWithX(`redirect_to=${encodeURIComponent(evil)}`)
    expect(location.startsWith('http://localhost:3000#access_token=')).toBe(true)
  },
)

it.each(['token', 'profile'] as const)('gives up on a %s answer that never comes', async (silent) => {
  around.x.behaviour.silent = silent
  const timeout = 50
  const x = createXProvider(around.x.config, 'http://localhost:3000/auth/v1/callback', timeout)
  const attempt =
    silent === 'token'
      ? x.exchangeCode(new URLSearchParams({ code: 'code', state: 'state' }), 'v'.repeat(43))
      : x.fetchProfile({ accessToken: 'provider-access-token', refreshToken: null })
  await expect(attempt).rejects.toMatchObject({ name: 'TimeoutError' })
})
