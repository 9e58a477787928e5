import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call, refresh, sessionOf, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { startSurroundings, type Surroundings } from '#tests/support/surroundings.ts'
import { attack, bearer } from './attack.ts'
import { collectLog } from './log-lines.ts'
import { say } from './raw-connection.ts'

const PASSWORD = 'Correct-Horse-7-Battery'
const WRONG = 'Wrong-Horse-8-Staple'
const PRAYER = 'for my brother, who drinks'
/** What opens something, by name. Filled as the tests go. */
const secrets = new Map<string, string>([
  ['the password', PASSWORD],
  ['a mistyped password', WRONG],
  ['a prayer', PRAYER],
])

const log = collectLog()
let server: TestServer
let around: Surroundings

beforeAll(async () => {
  around = await startSurroundings()
  server = await startTestServer({ logger: log.logger, config: around.config })
})

afterAll(async () => {
  await server.close()
  await around.close()
})

beforeEach(() => log.clear())

/** Every one of them, as it is and as an address carries it. */
function expectNoSecretIn(text: string): void {
  for (const [name, secret] of secrets) {
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      expect(text.includes(form), `${name} is told`).toBe(false)
    }
  }
}

function keep(name: string, session: { access_token: string; refresh_token: string }): void {
  secrets.set(`access token of ${name}`, session.access_token)
  secrets.set(`refresh token of ${name}`, session.refresh_token)
}

describe('at its most talkative the log has no secret', () => {
  it('of signing up, signing in, mistyping and refreshing', async () => {
    const email = 'anna@example.org'
    const first = await signUp(server, email, PASSWORD)
    keep('the sign-up', first)
    keep('the sign-in', sessionOf(await signIn(server, email, PASSWORD)))
    await signIn(server, email, WRONG)
    keep('the refresh', sessionOf(await refresh(server, first.refresh_token)))
    await call(server, 'POST', '/token?grant_type=password', {
      text: `{"email":"${email}","password":"${PASSWORD}"`,
    })
    await call(server, 'POST', `/token?grant_type=password&password=${PASSWORD}`, { body: { email } })
    await call(server, 'PUT', '/user', { body: { password: PASSWORD }, token: first.access_token })
    expect(log.lines().length).toBeGreaterThan(5)
    expectNoSecretIn(log.text())
  })

  it('of a mailed link, when it is written and when it is opened', async () => {
    server.clock.advance(61)
    await call(server, 'POST', '/recover', { body: { email: 'anna@example.org' } })
    const link = linkIn((await around.mailbox.mails()).at(-1) ?? '')
    secrets.set('the token of a link', link.searchParams.get('token') ?? '')
    await fetch(`${server.url}${link.pathname}x${link.search}`)
    await fetch(`${server.url}/dashboard${link.search}`)
    const opened = await fetch(`${server.url}${link.pathname}${link.search}`, { redirect: 'manual' })
    const fragment = new URLSearchParams((opened.headers.get('location') ?? '').split('#')[1])
    keep('the link', {
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    expect(fragment.get('access_token')).not.toBeNull()
    expect(log.text()).toContain('email written to the outbox')
    expectNoSecretIn(log.text())
  })

  it('of signing in with X, also when X refuses', async () => {
    secrets.set('the secret of X', around.x.config.clientSecret)
    secrets.set('the access token of X', 'provider-access-token')
    for (const rejectsCode of [false, true]) {
      around.x.behaviour = { ...around.x.behaviour, rejectsCode }
      const asked = await fetch(`${server.url}/auth/v1/authorize?provider=twitter`, { redirect: 'manual' })
      const state = new URL(asked.headers.get('location') ?? '').searchParams.get('state') ?? ''
      secrets.set(`the state ${String(rejectsCode)}`, state)
      const back = await fetch(asked.headers.get('location') ?? '', { redirect: 'manual' })
      const callback = new URL(back.headers.get('location') ?? '')
      secrets.set(`the code ${String(rejectsCode)}`, callback.searchParams.get('code') ?? '')
      await fetch(`${server.url}${callback.pathname}${callback.search}`, { redirect: 'manual' })
    }
    expect(log.text()).toContain('Unable to exchange external code')
    expectNoSecretIn(log.text())
  })

  it('of prayers, kept, refused or not understood', async () => {
    const { access_token: token } = sessionOf(await signIn(server, 'anna@example.org', PASSWORD))
    keep('the writer', { access_token: token, refresh_token: token })
    const post = async (path: string, body: unknown) =>
      attack(server, { method: 'POST', path, body, headers: bearer(token) })
    await post('/rest/v1/categories', { name: PRAYER, order: 1 })
    await post('/rest/v1/categories', { name: PRAYER, order: 0 })
    await post('/rest/v1/categories', { name: PRAYER, order: PRAYER })
    await post('/rest/v1/categories', `{"name":"${PRAYER}"`)
    await post('/rest/v1/prayers', { person_name: PRAYER, note: PRAYER.repeat(1000), category_id: PRAYER })
    await post(`/rest/v1/prayers?${encodeURIComponent(PRAYER)}=eq.1`, {})
    await post(`/rest/v1/${encodeURIComponent(PRAYER)}`, {})
    await post('/rest/v1/rpc/reorder_categories', { category_ids: [PRAYER] })
    await attack(server, {
      method: 'GET',
      path: `/rest/v1/prayers?note=eq.${encodeURIComponent(PRAYER)}`,
      headers: {
        ...bearer(token),
        'user-agent': PRAYER,
        referer: `https://x.example/${encodeURIComponent(PRAYER)}`,
      },
    })
    expect(log.lines().length).toBeGreaterThan(8)
    expectNoSecretIn(log.text())
  })

  it('of requests that can not be read, which errors carry as they were sent', async () => {
    const token = secrets.get('access token of the refresh') ?? ''
    const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\napikey: ${server.services.keys.anonKey}\r\n`
    const body = JSON.stringify({ email: 'anna@example.org', password: PASSWORD })
    await say(server, `POST /auth/v1/token HTTP/1.1\r\n${headers}Content-Length: x\r\n\r\n${body}`)
    await say(server, `POST /auth/v1/token?password=${PASSWORD} HTTP/1.1\r\n${headers}X: \0\r\n\r\n${body}`)
    await say(server, `GET /%ff?password=${PASSWORD} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
    await say(server, `GET /${'x'.repeat(20_000)}?token=${token} HTTP/1.1\r\n${headers}\r\n`)
    expect(log.text()).toContain('HPE_INVALID_CONTENT_LENGTH')
    expectNoSecretIn(log.text())
  })

  it('of a failure of the server in the middle of it', async () => {
    const { pool } = server.database
    await pool.query(`alter table auth.sessions rename to sessions_away`)
    const signing = await signIn(server, 'anna@example.org', PASSWORD)
    const token = secrets.get('access token of the refresh') ?? ''
    const asking = await call(server, 'GET', '/user', { token })
    await pool.query(`alter table auth.sessions_away rename to sessions`)
    expect([signing.status, asking.status]).toEqual([500, 500])
    expect(log.text()).toContain('request failed')
    expectNoSecretIn(log.text())
    for (const { body } of [signing, asking]) {
      expect(body).toEqual({
        code: 'unexpected_failure',
        message: 'Unexpected failure, please check server logs for more information',
      })
    }
  })
})

describe('an answer that refuses', () => {
  it('tells neither what was sent in confidence nor how the server is made', async () => {
    const { access_token: token } = sessionOf(await signIn(server, 'anna@example.org', PASSWORD))
    const refused = [
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=password',
        body: { email: 'anna@example.org', password: WRONG },
      },
      { method: 'POST', path: '/auth/v1/token?grant_type=password', body: `{"password":"${PASSWORD}"` },
      { method: 'POST', path: '/auth/v1/signup', body: { email: 'not an address', password: PASSWORD } },
      { method: 'PUT', path: '/auth/v1/user', body: { password: PASSWORD }, headers: bearer(token) },
      { method: 'GET', path: '/auth/v1/user', headers: bearer(`${token}x`) },
      { method: 'GET', path: '/rest/v1/prayers', headers: bearer(`${token}x`) },
      { method: 'POST', path: '/auth/v1/token?grant_type=refresh_token', body: { refresh_token: PASSWORD } },
      { method: 'GET', path: `/%ff?${PASSWORD}` },
    ]
    for (const request of refused) {
      const { status, text, headers } = await attack(server, request)
      expect(status, `${request.method} ${request.path}`).toBeGreaterThanOrEqual(400)
      const shown = text + JSON.stringify([...headers])
      for (const hidden of [
        PASSWORD,
        WRONG,
        token,
        '/server/',
        'node_modules',
        '.ts:',
        'argon2',
        'at async',
      ]) {
        expect(shown).not.toContain(hidden)
      }
    }
  })
})

describe('nobody writes lines of their own into the log', () => {
  const FORGED = '{"level":50,"msg":"forged"}'
  const LINE_BREAKS = ['\n', '\r\n', '%0a', '%0d%0a', '\\n', '\u2028', '\u0085', '\u001b[2J']

  it.each(LINE_BREAKS.map((sign) => [JSON.stringify(sign), sign]))(
    'with %s no line is forged',
    async (_name, sign) => {
      const text = `x${sign}${FORGED}`
      const encoded = encodeURIComponent(text)
      await call(server, 'POST', '/signup', { body: { email: text, password: text, data: { [text]: text } } })
      await call(server, 'POST', '/token?grant_type=password', { body: { email: text, password: text } })
      await call(server, 'POST', `/token?grant_type=${encoded}`, { body: { refresh_token: text } })
      await call(server, 'POST', `/logout?scope=${encoded}`, {})
      await fetch(`${server.url}/auth/v1/callback?state=${encoded}&error=${encoded}`, { redirect: 'manual' })
      await fetch(`${server.url}/${encoded}`)
      await fetch(`${server.url}/rest/v1/${encoded}?${encoded}=${encoded}`, {
        headers: { apikey: server.services.keys.anonKey },
      })
      const clean = sign.replaceAll(/[^\x20-\x7e]/g, '')
      await say(
        server,
        `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUser-Agent: x${clean}${FORGED}\r\nX-Request-Id: x${clean}${FORGED}\r\napikey: ${server.services.keys.anonKey}\r\n\r\n`,
      )
      expect(log.lines().length).toBeGreaterThan(5)
      for (const line of log.lines()) {
        const entry: unknown = JSON.parse(line)
        expect(entry).toMatchObject({ level: expect.any(Number), time: expect.any(String) })
        expect(entry).not.toMatchObject({ msg: 'forged' })
      }
      expect(log.text()).not.toContain('forged')
    },
  )
})
