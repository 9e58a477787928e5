import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, signUp } from '#tests/contract/auth/auth-client.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { REDIRECT_TRICKS } from '#tests/support/redirect-tricks.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { startSurroundings, type Surroundings } from '#tests/support/surroundings.ts'

const SITE = 'https://pray.example.org'
/** What a header or an address can carry at all; the others never arrive. */
const SENDABLE = REDIRECT_TRICKS.filter((trick) => trick !== '')

let server: TestServer
let around: Surroundings
let people = 0

beforeAll(async () => {
  around = await startSurroundings()
  server = await startTestServer({ config: { ...around.config, siteUrl: SITE, confirmEmail: true } })
})

afterAll(async () => {
  await server.close()
  await around.close()
})

beforeEach(() => server.clock.advance(61))

/** Where a browser that gets this answer goes. */
function hostOf(location: string | null): string {
  return new URL(location ?? '', SITE).host
}

async function get(path: string, headers: Record<string, string> = {}): Promise<string | null> {
  const answer = await fetch(`${server.url}/auth/v1${path}`, { redirect: 'manual', headers })
  return answer.headers.get('location')
}

async function lastLink(): Promise<URL> {
  return linkIn((await around.mailbox.mails()).at(-1) ?? '')
}

function newAddress(): string {
  people += 1
  return `person${String(people)}@example.org`
}

describe.each(SENDABLE)('asked to lead to %j', (trick) => {
  const query = `redirect_to=${encodeURIComponent(trick)}`

  it('a link that is opened leads to the site', async () => {
    expect(hostOf(await get(`/verify?type=recovery&token=x&${query}`))).toBe('pray.example.org')
  })

  it('neither going to X nor coming back leads elsewhere', async () => {
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

describe('a mail', () => {
  it.each(SENDABLE)('for a new password leads to the site, whatever was asked for: %j', async (trick) => {
    await call(server, 'POST', `/recover?redirect_to=${encodeURIComponent(trick)}`, {
      body: { email: await confirmedPerson() },
    })
    const link = await lastLink()
    expect(link.origin).toBe(SITE)
    expect(hostOf(link.searchParams.get('redirect_to'))).toBe('pray.example.org')
  })

  it('that confirms an address leads to the site, whatever was asked for', async () => {
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
  ])('leads to the site, whatever the headers say: %j', async (headers) => {
    const email = await confirmedPerson()
    const before = (await around.mailbox.mails()).length
    const answer = await server.app.inject({
      method: 'POST',
      url: '/auth/v1/recover',
      headers: { apikey: server.services.keys.anonKey, 'content-type': 'application/json', ...headers },
      payload: { email },
    })
    expect(answer.statusCode).toBe(200)
    const mail = (await around.mailbox.mails())[before] ?? ''
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
  ])('goes to one address only: %j is none', async (email) => {
    const before = (await around.mailbox.mails()).length
    const answer = await call(server, 'POST', '/recover', { body: { email } })
    expect(answer.status).toBe(400)
    expect((await around.mailbox.mails()).length).toBe(before)
  })
})

let confirmed: string | null = null

/** Somebody who may ask for a new password; one for all tests, a minute passes before each. */
async function confirmedPerson(): Promise<string> {
  if (confirmed !== null) return confirmed
  confirmed = newAddress()
  await call(server, 'POST', '/signup', { body: { email: confirmed, password: 'a quiet hour' } })
  const link = await lastLink()
  await get(`/verify${link.search}`)
  server.clock.advance(61)
  return confirmed
}

it('an error of another site is told in words only, and leads nowhere', async () => {
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

it('signing up cannot be turned into a way to another site by the address of the page before', async () => {
  const target = await get('/verify?type=recovery&token=x', { referer: 'https://evil.example/' })
  expect(hostOf(target)).toBe('pray.example.org')
  await expect(signUp(server, newAddress())).rejects.toThrow('no session')
})
