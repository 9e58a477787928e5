import { beforeEach, describe, expect, it } from 'vitest'
import { call, newUser } from '#tests/contract/auth/auth-client.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { useSurroundings, useTestServer } from '#tests/support/shared-server.ts'

const SITE = 'https://pray.example.org'
/** Each way to the check that server/auth/redirect-targets.test.ts tests with all known tricks. */
const TRICKS = [
  'https://evil.example/',
  '//evil.example',
  'https://pray.example.org@evil.example/',
  'http://pray.example.org/',
  'javascript:alert(1)',
]

let users = 0

const around = useSurroundings()
const server = useTestServer(() => ({ config: { ...around.config, siteUrl: SITE, confirmEmail: true } }))

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
  return `guest${String(users)}@example.org`
}

describe.each(TRICKS)('with redirect_to %j', (trick) => {
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

  it('an email for a password reset leads to the site, and its link too when changed', async () => {
    await call(server, 'POST', `/recover?${query}`, { body: { email: (await newUser(server)).user.email } })
    const link = await lastLink()
    expect([link.origin, link.searchParams.get('redirect_to')]).toEqual([SITE, SITE])
    link.searchParams.set('redirect_to', trick)
    expect(await get(`/verify${link.search}`)).toMatch(new RegExp(`^${SITE}#access_token=`))
  })

  it('an email that confirms an address leads to the site', async () => {
    const body = { email: newAddress(), password: 'a quiet hour' }
    await call(server, 'POST', `/signup?${query}`, { body })
    const link = await lastLink()
    expect([link.origin, link.searchParams.get('redirect_to')]).toEqual([SITE, SITE])
  })
})

describe('an email', () => {
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
    const email = (await newUser(server)).user.email
    const before = (await around.mailbox.emails()).length
    const response = await server.app.inject({
      method: 'POST',
      url: '/auth/v1/recover',
      headers: { apikey: server.services.keys.anonKey, 'content-type': 'application/json', ...headers },
      payload: { email },
    })
    expect(response.statusCode).toBe(200)
    await server.services.background.settled()
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

it('a link that leads to signing in with X leaves its session here: browsers would take the fragment along', async () => {
  const here = `${SITE}/auth/v1/authorize?provider=twitter`
  const target = await get(`/verify?type=recovery&token=x&redirect_to=${encodeURIComponent(here)}`)
  expect(target?.startsWith(`${here}#`)).toBe(true)
  expect(await get('/authorize?provider=twitter')).toMatch(/#$/)
})

it('the Referer header of another site does not lead there', async () => {
  const target = await get('/verify?type=recovery&token=x', { referer: 'https://evil.example/' })
  expect(hostOf(target)).toBe('pray.example.org')
})
