import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, signUp } from '#tests/contract/auth/auth-client.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { REDIRECT_TRICKS } from '#tests/support/redirect-tricks.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { startSurroundings, type Surroundings } from '#tests/support/surroundings.ts'

const SITE = 'https://pray.example.org'
/** Those that can be sent in a header or a query string. */
const SENDABLE = REDIRECT_TRICKS.filter((trick) => trick !== '')

let server: TestServer
let around: Surroundings
let users = 0

beforeAll(async () => {
  around = await startSurroundings()
  server = await startTestServer({ config: { ...around.config, siteUrl: SITE, confirmEmail: true } })
})

afterAll(async () => {
  await server.close()
  await around.close()
})

beforeEach(() => server.clock.advance(61))

/** The host to which a browser follows this Location header. */
function hostOf(location: string | null): string {
  return new URL(location ?? '', SITE).host
}

async function get(path: string, headers: Record<string, string> = {}): Promise<string | null> {
  const response = await fetch(`${server.url}/auth/v1${path}`, { redirect: 'manual', headers })
  return response.headers.get('location')
}

async function lastLink(): Promise<URL> {
  return linkIn((await around.mailbox.emails()).at(-1) ?? '')
}

function newAddress(): string {
  users += 1
  return `user${String(users)}@example.org`
}

describe.each(SENDABLE)('with redirect_to %j', (trick) => {
  const query = `redirect_to=${encodeURIComponent(trick)}`

  it('an emailed link leads to the site', async () => {
    expect(hostOf(await get(`/verify?type=recovery&token=x&${query}`))).toBe('pray.example.org')
  })

  it('signing in with X leads back to the site', async () => {
    const authorize = await get(`/authorize?provider=twitter&${query}`)
    expect(hostOf(authorize)).toBe(new URL(around.x.url).host)
    const back = await fetch(authorize ?? '', { redirect: 'manual' })
    const callback = new URL(back.headers.get('location') ?? '')
    expect(callback.origin).toBe(SITE)
    const target = await get(`${callback.pathname.replace('/auth/v1', '')}${callback.search}`)
    expect(hostOf(target)).toBe('pray.example.org')
    expect(target).toContain('access_token=')
  })
})

describe('an email', () => {
  it.each(SENDABLE)('for a password reset leads to the site, whatever redirect_to is: %j', async (trick) => {
    await call(server, 'POST', `/recover?redirect_to=${encodeURIComponent(trick)}`, {
      body: { email: await confirmedUser() },
    })
    const link = await lastLink()
    expect(link.origin).toBe(SITE)
    expect(hostOf(link.searchParams.get('redirect_to'))).toBe('pray.example.org')
  })

  it('that confirms an address leads to the site, whatever redirect_to is', async () => {
    for (const trick of [
      'https://evil.example/',
      '//evil.example',
      'https://pray.example.org@evil.example/',
    ]) {
      const email = newAddress()
      await call(server, 'POST', `/signup?redirect_to=${encodeURIComponent(trick)}`, {
        body: { email, password: 'a quiet hour' },
      })
      const link = await lastLink()
      expect([link.origin, hostOf(link.searchParams.get('redirect_to'))]).toEqual([SITE, 'pray.example.org'])
    }
  })

  it.each([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
    { forwarded: 'host=evil.example;proto=http' },
    { 'x-original-host': 'evil.example', 'x-host': 'evil.example', 'x-forwarded-server': 'evil.example' },
    { 'x-rewrite-url': 'https://evil.example/', 'x-original-url': 'https://evil.example/' },
    { origin: 'https://evil.example' },
    { referer: 'https://evil.example/reset-password' },
    { redirect_to: 'https://evil.example/' },
  ])('leads to the site, whatever the headers are: %j', async (headers) => {
    const email = await confirmedUser()
    const before = (await around.mailbox.emails()).length
    const response = await server.app.inject({
      method: 'POST',
      url: '/auth/v1/recover',
      headers: { apikey: server.services.keys.anonKey, 'content-type': 'application/json', ...headers },
      payload: { email },
    })
    expect(response.statusCode).toBe(200)
    const mail = (await around.mailbox.emails())[before] ?? ''
    expect(mail).not.toContain('evil')
    const link = linkIn(mail)
    expect([link.origin, link.pathname]).toEqual([SITE, '/auth/v1/verify'])
    expect(link.searchParams.get('redirect_to')).toBe(SITE)
  })

  it.each([
    'x\r\nBcc: evil@example.org',
    'x\nBcc: evil@example.org',
    'x@example.org,evil@example.org',
    'x@example.org\0',
  ])('has only one recipient: %j is rejected', async (email) => {
    const before = (await around.mailbox.emails()).length
    const response = await call(server, 'POST', '/recover', { body: { email } })
    expect(response.status).toBe(400)
    expect((await around.mailbox.emails()).length).toBe(before)
  })
})

let confirmed: string | null = null

/** The address of a user who can request a password reset; the same in all tests. */
async function confirmedUser(): Promise<string> {
  if (confirmed !== null) return confirmed
  confirmed = newAddress()
  await call(server, 'POST', '/signup', { body: { email: confirmed, password: 'a quiet hour' } })
  const link = await lastLink()
  await get(`/verify${link.search}`)
  server.clock.advance(61)
  return confirmed
}

it('an error message from X is escaped, and leads to the site', async () => {
  const authorize = new URL((await get('/authorize?provider=twitter')) ?? '')
  const state = authorize.searchParams.get('state') ?? ''
  const query = new URLSearchParams({
    state,
    error: '<script>',
    error_description: '"><img src=x>\r\nSet-Cookie: a=b',
  })
  const target = await get(`/callback?${query.toString()}`)
  expect(hostOf(target)).toBe('pray.example.org')
  expect(target).not.toMatch(/[<>"\r\n]/)
})

it('the Referer header of another site does not lead there', async () => {
  const target = await get('/verify?type=recovery&token=x', { referer: 'https://evil.example/' })
  expect(hostOf(target)).toBe('pray.example.org')
  await expect(signUp(server, newAddress())).rejects.toThrow('expected a session')
})
