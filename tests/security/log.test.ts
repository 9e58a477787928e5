import { beforeEach, describe, expect, it } from 'vitest'
import { call, refresh, sessionOf, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { createLogger } from '#server/logger.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { useSurroundings, useTestServer } from '#tests/support/shared-server.ts'
import { attack, bearer } from './attack.ts'
import { sendRaw } from './raw-connection.ts'

const PASSWORD = 'Correct-Horse-7-Battery'
const WRONG = 'Wrong-Horse-8-Staple'
const PRAYER = 'for my brother, who drinks'
/** By description. The tests add those that they generate. */
const secrets = new Map<string, string>([
  ['the password', PASSWORD],
  ['a mistyped password', WRONG],
  ['a prayer', PRAYER],
])

/** Everything that the server logs, at the most verbose level. */
let log = ''
const logger = createLogger('trace', {
  write: (line) => {
    log += line
  },
})
const logLines = () => log.split('\n').filter((line) => line !== '')

const around = useSurroundings()
const server = useTestServer(() => ({ logger, config: around.config }))

beforeEach(() => {
  log = ''
})

/** Checks for each secret as it is, URL-encoded and in Base64. */
function expectNoSecretIn(text: string): void {
  for (const [name, secret] of secrets) {
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      expect(text.includes(form), `contains ${name}`).toBe(false)
    }
  }
}

function addTokens(name: string, session: { access_token: string; refresh_token: string }): void {
  secrets.set(`access token of ${name}`, session.access_token)
  secrets.set(`refresh token of ${name}`, session.refresh_token)
}

describe('the most verbose log contains no secret', () => {
  it('when signing up, signing in, mistyping the password and refreshing the session', async () => {
    const email = 'anna@example.org'
    const first = await signUp(server, email, PASSWORD)
    addTokens('the sign-up', first)
    addTokens('the sign-in', sessionOf(await signIn(server, email, PASSWORD)))
    await signIn(server, email, WRONG)
    addTokens('the refresh', sessionOf(await refresh(server, first.refresh_token)))
    await call(server, 'POST', '/token?grant_type=password', {
      text: `{"email":"${email}","password":"${PASSWORD}"`,
    })
    await call(server, 'POST', `/token?grant_type=password&password=${PASSWORD}`, { body: { email } })
    await call(server, 'PUT', '/user', { body: { password: PASSWORD }, token: first.access_token })
    expect(logLines().length).toBeGreaterThan(5)
    expectNoSecretIn(log)
  })

  it('when an emailed link is written and opened', async () => {
    server.clock.advance(61)
    await call(server, 'POST', '/recover', { body: { email: 'anna@example.org' } })
    const link = linkIn((await around.mailbox.emails()).at(-1) ?? '')
    secrets.set('the token of a link', link.searchParams.get('token') ?? '')
    await fetch(`${server.url}${link.pathname}x${link.search}`)
    await fetch(`${server.url}/dashboard${link.search}`)
    const opened = await fetch(`${server.url}${link.pathname}${link.search}`, { redirect: 'manual' })
    const fragment = new URLSearchParams((opened.headers.get('location') ?? '').split('#')[1])
    addTokens('the link', {
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    })
    expect(fragment.get('access_token')).not.toBeNull()
    expect(log).toContain('email written to the outbox')
    expectNoSecretIn(log)
  })

  it('when signing in with X, successfully or not', async () => {
    secrets.set('the secret of X', around.x.config.clientSecret)
    secrets.set('the access token of X', 'provider-access-token')
    for (const rejectsCode of [false, true]) {
      around.x.behaviour = { ...around.x.behaviour, rejectsCode }
      const authorize = await fetch(`${server.url}/auth/v1/authorize?provider=twitter`, {
        redirect: 'manual',
      })
      const state = new URL(authorize.headers.get('location') ?? '').searchParams.get('state') ?? ''
      secrets.set(`the state ${String(rejectsCode)}`, state)
      const back = await fetch(authorize.headers.get('location') ?? '', { redirect: 'manual' })
      const callback = new URL(back.headers.get('location') ?? '')
      secrets.set(`the code ${String(rejectsCode)}`, callback.searchParams.get('code') ?? '')
      await fetch(`${server.url}${callback.pathname}${callback.search}`, { redirect: 'manual' })
    }
    expect(log).toContain('Unable to exchange external code')
    expectNoSecretIn(log)
  })

  it('when prayers are accepted, rejected or malformed', async () => {
    const { access_token: token } = sessionOf(await signIn(server, 'anna@example.org', PASSWORD))
    addTokens('the author', { access_token: token, refresh_token: token })
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
    expect(logLines().length).toBeGreaterThan(8)
    expectNoSecretIn(log)
  })

  it('when requests are malformed, which errors of Node.js contain as they were sent', async () => {
    const token = secrets.get('access token of the refresh') ?? ''
    const headers = `Host: x\r\nAuthorization: Bearer ${token}\r\napikey: ${server.services.keys.anonKey}\r\n`
    const body = JSON.stringify({ email: 'anna@example.org', password: PASSWORD })
    await sendRaw(server, `POST /auth/v1/token HTTP/1.1\r\n${headers}Content-Length: x\r\n\r\n${body}`)
    await sendRaw(
      server,
      `POST /auth/v1/token?password=${PASSWORD} HTTP/1.1\r\n${headers}X: \0\r\n\r\n${body}`,
    )
    await sendRaw(server, `GET /%ff?password=${PASSWORD} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
    await sendRaw(server, `GET /${'x'.repeat(20_000)}?token=${token} HTTP/1.1\r\n${headers}\r\n`)
    expect(log).toContain('HPE_INVALID_CONTENT_LENGTH')
    expectNoSecretIn(log)
  })

  it('when a request fails with a server error', async () => {
    const { pool } = server.database
    await pool.query(`alter table auth.refresh_tokens rename to refresh_tokens_away`)
    const signedIn = await signIn(server, 'anna@example.org', PASSWORD)
    const token = secrets.get('access token of the refresh') ?? ''
    const user = await call(server, 'GET', '/user', { token })
    await pool.query(`alter table auth.refresh_tokens_away rename to refresh_tokens`)
    expect([signedIn.status, user.status]).toEqual([500, 500])
    expect(log).toContain('request failed')
    expectNoSecretIn(log)
    for (const { body } of [signedIn, user]) {
      expect(body).toEqual({
        code: 'unexpected_failure',
        message: 'Unexpected failure, please check server logs for more information',
      })
    }
  })
})

describe('an error response', () => {
  it('contains neither secrets nor internals of the server', async () => {
    const { access_token: token } = sessionOf(await signIn(server, 'anna@example.org', PASSWORD))
    const requests = [
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
    for (const request of requests) {
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

describe('a client cannot forge log lines', () => {
  const FORGED = '{"level":50,"msg":"forged"}'
  const LINE_BREAKS = ['\n', '\r\n', '%0a', '%0d%0a', '\\n', '\u2028', '\u0085', '\u001b[2J']

  it.each(LINE_BREAKS.map((lineBreak) => [JSON.stringify(lineBreak), lineBreak]))(
    'with %s',
    async (_name, lineBreak) => {
      const text = `x${lineBreak}${FORGED}`
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
      const printable = lineBreak.replaceAll(/[^\x20-\x7e]/g, '')
      await sendRaw(
        server,
        `GET /auth/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUser-Agent: x${printable}${FORGED}\r\nX-Request-Id: x${printable}${FORGED}\r\napikey: ${server.services.keys.anonKey}\r\n\r\n`,
      )
      expect(logLines().length).toBeGreaterThan(5)
      for (const line of logLines()) {
        const entry: unknown = JSON.parse(line)
        expect(entry).toMatchObject({ level: expect.any(Number), time: expect.any(String) })
        expect(entry).not.toMatchObject({ msg: 'forged' })
      }
      expect(log).not.toContain('forged')
    },
  )
})
