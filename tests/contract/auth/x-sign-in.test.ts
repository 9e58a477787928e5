// GET /authorize and GET|POST /callback against a stand-in of X. supabase/auth internal/api/external.go,
// external_oauth.go, provider/x.go; account linking of internal/models/linking.go.
import { beforeEach, describe, expect, it } from 'vitest'
import { createXProvider } from '#server/auth/x-provider.ts'
import { send } from '#tests/support/data-requests.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { startTestServer } from '#tests/support/server.ts'
import type { XUser } from '#tests/support/x-provider.ts'
import { useSurroundings, useTestServer } from '#tests/support/shared-server.ts'
import { call, claimsOf, PASSWORD, refresh, signIn, signUp, textMember } from './auth-client.ts'
import { addApp } from './two-factor-client.ts'

let userCount = 0

const around = useSurroundings()
const server = useTestServer(() => ({ config: around.config }))

const TARGET = 'http://localhost:3000/auth/callback'
const AVATAR = 'https://pbs.twimg.com/profile_images/1/ruth_normal.jpg'

function newXUser(): XUser {
  userCount += 1
  return {
    id: String(1000 + userCount),
    name: `Ruth ${String(userCount)} of Moab`,
    username: `ruth${String(userCount)}`,
    confirmed_email: `Ruth${String(userCount)}@Example.com`,
    profile_image_url: AVATAR,
  }
}

beforeEach(() => {
  around.x.behaviour = { user: newXUser() }
})

/** Replaces the server's configured URL by its actual one. */
function atServer(location: string): string {
  return location.replace('http://localhost:3000/auth/v1', `${server.url}/auth/v1`)
}

async function locationOf(
  address: string,
  init: RequestInit = {},
): Promise<{ status: number; location: string }> {
  const response = await fetch(address, { redirect: 'manual', ...init })
  return { status: response.status, location: response.headers.get('location') ?? '' }
}

async function authorize(query = `redirect_to=${encodeURIComponent(TARGET)}`, provider = 'twitter') {
  return locationOf(`${server.url}/auth/v1/authorize?provider=${provider}&${query}`)
}

/** Visits the provider and returns the URL of the server's callback, without opening it. */
async function callbackUrl(query?: string, provider?: string): Promise<string> {
  const { location } = await authorize(query, provider)
  return atServer((await locationOf(location)).location)
}

/** Follows all redirects, as a browser does. */
async function signInWithX(query?: string, provider?: string) {
  return locationOf(await callbackUrl(query, provider))
}

function fragmentOf(location: string): URLSearchParams {
  return new URLSearchParams(location.split('#')[1])
}

async function userOf(location: string): Promise<unknown> {
  const token = fragmentOf(location).get('access_token') ?? ''
  return (await call(server, 'GET', '/user', { token })).body
}

describe('redirecting to X', () => {
  it('requests authorization with PKCE, a state and the necessary scopes, whatever others a link names', async () => {
    const { status, location } = await authorize(
      `redirect_to=${encodeURIComponent(TARGET)}&scopes=tweet.read%20email%20tweet.write%20dm.read`,
    )
    expect(status).toBe(302)
    const url = new URL(location)
    expect(url.origin + url.pathname).toBe(around.x.config.authorizeUrl)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: around.x.config.clientId,
      redirect_uri: 'http://localhost:3000/auth/v1/callback',
      // provider/x.go
      scope: 'users.email tweet.read users.read offline.access',
      state: expect.stringMatching(/^[0-9a-f-]{36}$/),
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('responds with a JSON error for an unknown provider', async () => {
    const response = await fetch(`${server.url}/auth/v1/authorize?provider=nope`, { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      code: 400,
      error_code: 'validation_failed',
      msg: 'Unsupported provider: Provider nope could not be found',
    })
  })

  it('responds with a JSON error where X is not configured', async () => {
    const without = await startTestServer()
    const response = await fetch(`${without.url}/auth/v1/authorize?provider=twitter`, { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error_code: 'validation_failed',
      msg: 'Unsupported provider: provider is not enabled',
    })
    await without.close()
  })
})

describe('signing in with X for the first time', () => {
  it('creates an account and passes its session to the web app', async () => {
    const { user } = around.x.behaviour
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
    const email = user.confirmed_email?.toLowerCase()
    const data = {
      iss: around.x.url,
      sub: user.id,
      name: user.name,
      full_name: user.name,
      avatar_url: AVATAR,
      picture: AVATAR,
      preferred_username: user.username,
      user_name: user.username,
      provider_id: user.id,
      email,
      email_verified: true,
      phone_verified: false,
    }
    expect(await userOf(location)).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'twitter', providers: ['twitter'] },
      user_metadata: data,
      identities: [{ id: user.id, provider: 'twitter', identity_data: data, email }],
    })
    expect((await refresh(server, fragment.get('refresh_token') ?? '')).status).toBe(200)
  })

  it('works with both names of the provider, which mean the same user', async () => {
    const first = await userOf((await signInWithX(undefined, 'x')).location)
    const second = await userOf((await signInWithX(undefined, 'twitter')).location)
    expect(textMember(second, 'id')).toBe(textMember(first, 'id'))
    expect(second).toMatchObject({ identities: [{ provider: 'x' }] })
  })

  it('works when the provider responds with a POST request', async () => {
    const url = new URL(await callbackUrl())
    const { status, location } = await locationOf(`${server.url}/auth/v1/callback`, {
      method: 'POST',
      body: url.searchParams,
    })
    expect(status).toBe(302)
    expect(location).toContain('#access_token=')
  })

  it('creates an account that has no password', async () => {
    const email = around.x.behaviour.user.confirmed_email ?? ''
    await signInWithX()
    for (const password of ['', 'null', 'undefined']) {
      expect((await signIn(server, email, password)).status).toBe(400)
    }
  })

  it('stores no URL from a profile that a page could execute', async () => {
    around.x.behaviour.user.profile_image_url = 'javascript:alert(1)'
    around.x.behaviour.user.name = '<img src=x onerror=alert(1)>\0'
    const user = await userOf((await signInWithX()).location)
    expect(user).toMatchObject({ user_metadata: { full_name: '<img src=x onerror=alert(1)>' } })
    expect(Object(user).user_metadata).not.toHaveProperty('avatar_url')
  })

  it('creates one account for two concurrent sign-ins', async () => {
    const urls = await Promise.all([callbackUrl(), callbackUrl()])
    const redirects = await Promise.all(urls.map(async (url) => locationOf(url)))
    const accounts = await Promise.all(redirects.map(async ({ location }) => userOf(location)))
    expect(textMember(accounts[0], 'id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(textMember(accounts[1], 'id')).toBe(textMember(accounts[0], 'id'))
  })
})

describe('signing in with X again', () => {
  it('uses the same account, updated from the profile', async () => {
    const first = await userOf((await signInWithX()).location)
    server.clock.advance(60)
    around.x.behaviour.user.name = 'Ruth of Bethlehem'
    around.x.behaviour.user.confirmed_email = 'moved@example.com'
    const second = await userOf((await signInWithX()).location)
    const [id, email] = [textMember(first, 'id'), textMember(first, 'email')]
    expect(second).toMatchObject({
      id,
      email,
      user_metadata: { full_name: 'Ruth of Bethlehem' },
      identities: [{ last_sign_in_at: server.clock.now().toISOString().replace('.000Z', 'Z') }],
    })
  })

  it('keeps a name that the user has set, until they clear it', async () => {
    const token = fragmentOf((await signInWithX()).location).get('access_token') ?? ''
    const rename = async (name: string | null) =>
      call(server, 'PUT', '/user', { token, body: { data: { full_name: name } } })
    await rename('Grandma')
    around.x.behaviour.user.name = 'Ruth of Bethlehem'
    expect(await userOf((await signInWithX()).location)).toMatchObject({
      user_metadata: { full_name: 'Grandma', name: 'Ruth of Bethlehem' },
      identities: [{ identity_data: { full_name: 'Ruth of Bethlehem' } }],
    })
    await rename(null)
    expect(await userOf((await signInWithX()).location)).toMatchObject({
      user_metadata: { full_name: 'Ruth of Bethlehem' },
    })
  })

  it('works without an email address for a user who has signed in before', async () => {
    const first = await userOf((await signInWithX()).location)
    delete around.x.behaviour.user.confirmed_email
    const second = await userOf((await signInWithX()).location)
    expect(textMember(second, 'id')).toBe(textMember(first, 'id'))
  })
})

describe('an existing account with the same address', () => {
  it('is linked, and keeps its password but no session if an emailed link has proven the address', async () => {
    const email = around.x.behaviour.user.confirmed_email?.toLowerCase() ?? ''
    const before = await signUp(server, email)
    await call(server, 'POST', '/recover', { body: { email } })
    const link = linkIn((await around.mailbox.emails()).at(-1) ?? '')
    await locationOf(`${server.url}${link.pathname}${link.search}`)
    await call(server, 'POST', '/recover', { body: { email } })
    const unused = linkIn((await around.mailbox.emails()).at(-1) ?? '')
    const user = await userOf((await signInWithX()).location)
    expect(user).toMatchObject({
      id: before.user.id,
      app_metadata: { provider: 'email', providers: ['email', 'twitter'] },
    })
    expect(Object(user).identities).toHaveLength(2)
    expect((await signIn(server, email)).status).toBe(200)
    expect((await refresh(server, before.refresh_token)).status).toBe(400)
    expect((await call(server, 'GET', '/user', { token: before.access_token })).status).toBe(403)
    expect((await send(server, '/prayers', { token: before.access_token })).status).toBe(401)
    const { location } = await locationOf(`${server.url}${unused.pathname}${unused.search}`)
    expect(location).toContain('error_code=otp_expired')
  })

  it.each([true, false])(
    'is not linked if it has two-factor sign-in: session, name, identities and app stay (address proven: %s)',
    async (isProven) => {
      const email = around.x.behaviour.user.confirmed_email?.toLowerCase() ?? ''
      const user = await signUp(server, email)
      if (isProven)
        await server.database.pool.query(
          `update auth.identities set identity_data = identity_data || '{"email_verified":true}' where user_id = $1`,
          [user.user.id],
        )
      const { session } = await addApp(server, user)
      const before = (await call(server, 'GET', '/user', { token: session.access_token })).body
      const { location } = await signInWithX()
      expect(Object.fromEntries(fragmentOf(location))).toMatchObject({
        error_code: 'insufficient_aal',
        error_description:
          'This email address has an account with two-factor sign-in. Please sign in with its password.',
      })
      expect((await call(server, 'GET', '/user', { token: session.access_token })).body).toEqual(before)
    },
  )

  it('is linked, but loses password, unfinished authenticator app and sessions if nothing proves whose they are', async () => {
    const email = around.x.behaviour.user.confirmed_email?.toLowerCase() ?? ''
    const attacker = await signUp(server, email)
    const body = { factor_type: 'totp', friendly_name: 'phone', current_password: PASSWORD }
    await call(server, 'POST', '/factors', { token: attacker.access_token, body })
    const user = await userOf((await signInWithX()).location)
    expect(textMember(user, 'id')).toBe(attacker.user.id)
    expect(user).not.toHaveProperty('factors')
    expect((await signIn(server, email)).status).toBe(400)
    expect((await refresh(server, attacker.refresh_token)).status).toBe(400)
    expect((await call(server, 'GET', '/user', { token: attacker.access_token })).status).toBe(403)
    expect((await send(server, '/prayers', { token: attacker.access_token })).status).toBe(401)
    // Only the network of the user who has signed in with X is known.
    const { rows } = await server.database.pool.query(
      'select from intercede.known_networks where user_id = $1',
      [attacker.user.id],
    )
    expect(rows).toHaveLength(1)
  })

  it('loses its metadata too if it was never confirmed', async () => {
    const email = around.x.behaviour.user.confirmed_email?.toLowerCase() ?? ''
    server.services.config.confirmEmail = true
    await call(server, 'POST', '/signup', { body: { email, password: PASSWORD, data: { color: 'red' } } })
    server.services.config.confirmEmail = false
    const user = await userOf((await signInWithX()).location)
    expect(Object(user).user_metadata).not.toHaveProperty('color')
    expect(user).toMatchObject({
      app_metadata: { provider: 'twitter', providers: ['twitter'] },
      identities: [{ provider: 'twitter' }],
    })
    expect((await signIn(server, email)).status).toBe(400)
  })
})

describe('the web app receives an error', () => {
  const withError = (parameters: string) => `${TARGET}?${parameters}#${parameters}&sb=`

  it.each([
    [{ error: 'access_denied' }, 'error=access_denied&error_description=Signing+in+was+cancelled'],
    [
      { error: 'access_denied', error_description: 'No, thanks' },
      'error=access_denied&error_description=No%2C+thanks',
    ],
    [{ error: 'server_error' }, 'error=server_error&error_description=server_error'],
  ])('when X reports %j', async (error, expected) => {
    around.x.behaviour.error = error
    expect(await signInWithX()).toEqual({ status: 302, location: withError(expected) })
  })

  it('when X provides no email address, with the message that the web app recognises', async () => {
    delete around.x.behaviour.user.confirmed_email
    expect((await signInWithX()).location).toBe(
      withError(
        'error=server_error&error_code=unexpected_failure&error_description=Error+getting+user+email+from+external+provider',
      ),
    )
  })

  it('when X rejects the code', async () => {
    around.x.behaviour.rejectsCode = true
    const url = await callbackUrl()
    const code = new URL(url).searchParams.get('code') ?? ''
    expect((await locationOf(url)).location).toBe(
      withError(
        `error=server_error&error_code=unexpected_failure&error_description=Unable+to+exchange+external+code%3A+${code.slice(0, 4)}`,
      ),
    )
  })

  it('when X provides no profile', async () => {
    around.x.behaviour.profileStatus = 503
    expect((await signInWithX()).location).toBe(
      withError(
        'error=server_error&error_code=unexpected_failure&error_description=Error+getting+user+profile+from+external+provider',
      ),
    )
  })

  it('when there is no code', async () => {
    const url = new URL(await callbackUrl())
    url.searchParams.delete('code')
    expect((await locationOf(url.href)).location).toContain(
      'error=invalid_request&error_code=bad_oauth_callback&error_description=OAuth+callback',
    )
  })

  it('when the account is banned', async () => {
    const user = await userOf((await signInWithX()).location)
    await server.database.pool.query("update auth.users set banned_until = 'infinity' where id = $1", [
      textMember(user, 'id'),
    ])
    expect((await signInWithX()).location).toBe(
      withError('error=access_denied&error_code=user_banned&error_description=User+is+banned'),
    )
  })

  it('when sign-up is disabled, but only for new users', async () => {
    const known = around.x.behaviour.user
    await signInWithX()
    server.services.config.disableSignup = true
    expect((await signInWithX()).location).toContain('#access_token=')
    around.x.behaviour.user = newXUser()
    const rejected = await signInWithX()
    server.services.config.disableSignup = false
    expect(rejected.location).toBe(
      withError(
        'error=access_denied&error_code=signup_disabled&error_description=Signups+not+allowed+for+this+instance',
      ),
    )
    expect(known.id).not.toBe(around.x.behaviour.user.id)
  })
})

describe('the state parameter', () => {
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
  ])('like %j redirects to the site, with the error only in its query', async (query, code, description) => {
    expect(await locationOf(`${server.url}/auth/v1/callback${query}`)).toEqual(atSite(code, description))
  })

  it('is valid once: neither it nor its code can be replayed', async () => {
    const url = await callbackUrl()
    expect((await locationOf(url)).location).toContain('#access_token=')
    expect(await locationOf(url)).toEqual(atSite('bad_oauth_state', 'OAuth+state+not+found+or+expired'))
  })

  it('is valid for 300 s', async () => {
    const inTime = await callbackUrl()
    server.clock.advance(300)
    expect((await locationOf(inTime)).location).toContain('#access_token=')
    const late = await callbackUrl()
    server.clock.advance(301)
    expect(await locationOf(late)).toEqual(atSite('bad_oauth_state', 'OAuth+state+has+expired'))
  })

  it('of another sign-in does not match the code', async () => {
    const mine = new URL(await callbackUrl())
    const theirs = new URL(await callbackUrl())
    mine.searchParams.set('state', theirs.searchParams.get('state') ?? '')
    expect((await locationOf(mine.href)).location).toContain('error_description=Unable+to+exchange')
  })

  it('is not consumed by a HEAD request', async () => {
    const url = await callbackUrl()
    await fetch(url, { method: 'HEAD', redirect: 'manual' })
    expect((await locationOf(url)).location).toContain('#access_token=')
  })

  it('is rejected if X returns a different one', async () => {
    around.x.behaviour.state = '7d9f3f5e-6a0b-4c52-9f25-1f4f4ad0f0ab'
    expect(await signInWithX()).toEqual(atSite('bad_oauth_state', 'OAuth+state+not+found+or+expired'))
  })
})

it.each(['token', 'profile'] as const)('times out if the %s endpoint does not respond', async (silent) => {
  around.x.behaviour.silent = silent
  const timeout = 50
  const x = createXProvider(around.x.config, 'http://localhost:3000/auth/v1/callback', timeout)
  const attempt =
    silent === 'token'
      ? x.exchangeCode(new URLSearchParams({ code: 'code', state: 'state' }), 'v'.repeat(43))
      : x.fetchProfile({ accessToken: 'provider-access-token', refreshToken: null })
  await expect(attempt).rejects.toMatchObject({ name: 'TimeoutError' })
})
