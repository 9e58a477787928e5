// POST /recover and the link it emails. supabase/auth internal/api/recover.go, verify.go, mailer/templatemailer.go.
import { stat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '#server/logger.ts'
import { linkIn, textOf } from '#tests/support/mailbox.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { startSmtpServer, type TestSmtpServer } from '#tests/support/smtp-server.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import { call, createDevice, newUser, PASSWORD, refresh, sessionOf, signIn } from './auth-client.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))

async function recover(email: string, query = '') {
  return call(server, 'POST', `/recover${query}`, {
    body: { email, code_challenge: null, code_challenge_method: null, gotrue_meta_security: {} },
  })
}

/** Opens a link as a browser would, but at the test server's actual port. */
async function open(link: URL, init: RequestInit = {}): Promise<{ status: number; location: string }> {
  const response = await fetch(`${server.url}${link.pathname}${link.search}`, { redirect: 'manual', ...init })
  return { status: response.status, location: response.headers.get('location') ?? '' }
}

async function linkFor(email: string, query = ''): Promise<URL> {
  const before = (await mailbox.emails()).length
  expect((await recover(email, query)).status).toBe(200)
  const emails = await mailbox.emails()
  expect(emails).toHaveLength(before + 1)
  return linkIn(emails.at(-1) ?? '')
}

const TARGET = 'http://localhost:3000/reset-password'
const QUERY = `?redirect_to=${encodeURIComponent(TARGET)}`
const EXPIRED = `${TARGET}#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=`

describe('requesting a new password', () => {
  it('responds alike for an address without an account, but sends nothing', async () => {
    const { user } = await newUser(server)
    const before = (await mailbox.emails()).length
    const unknown = await recover('nobody@example.com')
    expect((await mailbox.emails()).length).toBe(before)
    const known = await recover(user.email)
    expect((await mailbox.emails()).length).toBe(before + 1)
    expect([unknown.status, unknown.body]).toEqual([200, {}])
    expect([known.status, known.body]).toEqual([200, {}])
  })

  it('emails a link to this server, whatever host the request names', async () => {
    const { user } = await newUser(server)
    const before = (await mailbox.emails()).length
    await call(server, 'POST', `/recover${QUERY}`, {
      body: { email: user.email },
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    const link = linkIn((await mailbox.emails())[before] ?? '')
    expect(link.origin).toBe('http://localhost:3000')
    expect(link.pathname).toBe('/auth/v1/verify')
    expect(link.searchParams.get('token')).toMatch(/^[0-9a-f]{56}$/)
    expect(link.searchParams.get('type')).toBe('recovery')
    expect(link.searchParams.get('redirect_to')).toBe(TARGET)
  })

  it('sends an email as text and as HTML for light and dark mode, which loads nothing', async () => {
    const { user } = await newUser(server)
    const link = await linkFor(user.email, QUERY)
    const email = (await mailbox.emails()).at(-1) ?? ''
    expect(email).toMatch(new RegExp(`^To: ${user.email}\\r$`, 'm'))
    expect(email).toMatch(/^From: Intercede <intercede@localhost>\r$/m)
    expect(email).toMatch(/^Subject: Set a new password for Intercede\r$/m)
    expect(email).toMatch(/^Date: Sun, 01 Mar 2026/m)
    expect(email).toContain('multipart/alternative')
    expect(email).toContain('prefers-color-scheme: dark')
    expect(email).not.toMatch(/<img|<script|url\(/i)
    expect(textOf(email)).toContain(link.href)
  })

  it('protects email files from other users of the machine', async () => {
    const { user } = await newUser(server)
    await linkFor(user.email)
    const outbox = join(mailbox.dataDir, 'outbox')
    const [name = ''] = await readdir(outbox)
    expect((await stat(outbox)).mode & 0o077).toBe(0)
    expect((await stat(join(outbox, name))).mode & 0o077).toBe(0)
  })

  it('stores nothing from which the link could be derived', async () => {
    const { user } = await newUser(server)
    const token = (await linkFor(user.email)).searchParams.get('token') ?? ''
    const { rows } = await server.database.pool.query<{ row: string }>(
      'select u::text as row from auth.users u union all select t::text from auth.one_time_tokens t',
    )
    expect(rows.some(({ row }) => row.includes(token))).toBe(false)
  })

  it.each([
    ['no address', '', 'Password recovery requires an email'],
    ['an invalid address', 'nothing', 'Unable to validate email address: invalid format'],
    ['two addresses', 'a@b.de,c@d.de', 'Unable to validate email address: invalid format'],
    ['an address that is too long', `${'x'.repeat(251)}@a.de`, 'An email address is too long'],
  ])('rejects %s', async (_name, email, message) => {
    const response = await recover(email)
    expect(response.status).toBe(400)
    expect(response.body).toEqual({ code: 'validation_failed', message })
  })
})

describe('opening the link', () => {
  it('redirects to the web app with a session in the fragment, sorted by parameter name', async () => {
    const { user } = await newUser(server)
    server.clock.advance(60)
    const { status, location } = await open(await linkFor(user.email, QUERY))
    expect(status).toBe(303)
    const [address = '', fragment = ''] = location.split('#')
    expect(address).toBe(TARGET)
    const parameters = new URLSearchParams(fragment)
    expect([...parameters.keys()]).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
      'type',
    ])
    const now = server.clock.now().getTime() / 1000
    expect(parameters.get('expires_at')).toBe(String(now + 3600))
    expect(parameters.get('expires_in')).toBe('3600')
    expect([parameters.get('sb'), parameters.get('token_type'), parameters.get('type')]).toEqual([
      '',
      'bearer',
      'recovery',
    ])
    expect((await refresh(server, parameters.get('refresh_token') ?? '')).status).toBe(200)
  })

  it('gives a session that tells whether the account has a prayer key in use', async () => {
    const { user } = await newUser(server)
    await server.database.pool.query(
      `insert into public.encryption_keys
       values ($1, '0123456789ABCDEF', 'replaced', 3, repeat('p', 43)), ($1, '0123456789ABCDEG', 'on', 4, repeat('p', 43))`,
      [user.id],
    )
    const { location } = await open(await linkFor(user.email, QUERY))
    const token = new URLSearchParams(location.split('#')[1]).get('access_token') ?? ''
    const response = await fetch(
      `${server.url}/rest/v1/encryption_keys?select=state&state=in.(encrypting,on,decrypting)`,
      { headers: { apikey: server.services.keys.anonKey, authorization: `Bearer ${token}` } },
    )
    expect(await response.json()).toEqual([{ state: 'on' }])
  })

  it('works once, even if it is opened several times at the same moment', async () => {
    const { user } = await newUser(server)
    const link = await linkFor(user.email, QUERY)
    const opened = await Promise.all([open(link), open(link), open(link)])
    expect(opened.filter(({ location }) => location.includes('access_token='))).toHaveLength(1)
    expect(opened.filter(({ location }) => location === EXPIRED)).toHaveLength(2)
  })

  it('works for an hour', async () => {
    const { user } = await newUser(server)
    const link = await linkFor(user.email, QUERY)
    server.clock.advance(3599)
    expect((await open(link)).location).toContain('access_token=')
    const late = await linkFor((await newUser(server)).user.email, QUERY)
    server.clock.advance(3600)
    expect((await open(late)).location).toBe(EXPIRED)
  })

  it('works however many are requested after it, and voids them', async () => {
    const { user } = await newUser(server)
    const link = await linkFor(user.email, QUERY)
    const later: URL[] = []
    for (let count = 0; count < 11; count += 1) {
      server.clock.advance(1)
      later.push(await linkFor(user.email, QUERY))
    }
    expect((await open(link)).location).toContain('access_token=')
    for (const voided of later) expect((await open(voided)).location).toBe(EXPIRED)
  })

  it('does not work after the password was changed by other means', async () => {
    const { user, access_token: token } = await newUser(server)
    const link = await linkFor(user.email, QUERY)
    const { body } = await call(server, 'PUT', '/user', { token, body: { password: 'changed horse' } })
    expect(body).not.toHaveProperty('recovery_sent_at')
    expect((await open(link)).location).toBe(EXPIRED)
  })

  it.each([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['an older prefetch', { headers: { purpose: 'prefetch' } }],
    ['a preview', { headers: { 'x-purpose': 'preview' } }],
  ])('is not consumed by %s', async (_name, init) => {
    const { user } = await newUser(server)
    const link = await linkFor(user.email, QUERY)
    const prefetched = await open(link, init)
    expect(prefetched.location).toBe('')
    expect((await open(link)).location).toContain('access_token=')
  })

  it('preserves the query of the target, also for errors', async () => {
    const { user } = await newUser(server)
    const target = 'http://localhost:3000/reset-password?from=mail&x=1'
    const link = await linkFor(user.email, `?redirect_to=${encodeURIComponent(target)}`)
    expect((await open(link)).location.startsWith(`${target}#access_token=`)).toBe(true)
    expect((await open(link)).location.startsWith(`${target}#error=access_denied`)).toBe(true)
  })

  it('reports a banned account', async () => {
    const { user } = await newUser(server)
    const link = await linkFor(user.email, QUERY)
    await server.database.pool.query("update auth.users set banned_until = 'infinity' where id = $1", [
      user.id,
    ])
    expect((await open(link)).location).toBe(
      `${TARGET}#error=access_denied&error_code=user_banned&error_description=User+is+banned&sb=`,
    )
  })

  it.each([
    ['token=x', 'Verify requires a verification type'],
    ['type=recovery', 'Verify requires a token or a token hash'],
  ])('with only %j is a JSON error', async (query, message) => {
    const response = await fetch(`${server.url}/auth/v1/verify?${query}`, { redirect: 'manual' })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ code: 400, error_code: 'validation_failed', msg: message })
  })

  it('redirects to the web app with an error if the type is unknown', async () => {
    const link = new URL(`${TARGET}?token=x&type=sso`)
    link.pathname = '/auth/v1/verify'
    expect((await open(link)).location).toBe(
      'http://localhost:3000#error=invalid_request&error_code=validation_failed&error_description=Invalid+email+verification+type&sb=',
    )
  })
})

it('a new password is requested through auth-js', async () => {
  const { user } = await newUser(server)
  const { data, error } = await createDevice(server).resetPasswordForEmail(user.email, {
    redirectTo: TARGET,
  })
  expect([data, error]).toEqual([{}, null])
  await server.services.background.settled()
  const link = linkIn((await mailbox.emails()).at(-1) ?? '')
  expect(link.searchParams.get('redirect_to')).toBe(TARGET)
})

describe('POST /verify', () => {
  it('accepts the token of the link once and returns a session', async () => {
    const { user } = await newUser(server)
    const token = (await linkFor(user.email)).searchParams.get('token')
    const body = { type: 'recovery', token_hash: token }
    const response = await call(server, 'POST', '/verify', { body })
    expect(response.status).toBe(200)
    expect(sessionOf(response).user.id).toBe(user.id)
    expect(response.body).not.toHaveProperty('weak_password')
    const again = await call(server, 'POST', '/verify', { body })
    expect(again.status).toBe(403)
    expect(again.body).toEqual({ code: 'otp_expired', message: 'Email link is invalid or has expired' })
  })

  it.each([
    [{ token_hash: 'x' }, 400, 'validation_failed', 'Verify requires a verification type'],
    [{ type: 'recovery' }, 400, 'validation_failed', 'Verify requires a token or a token hash'],
    [
      { type: 'recovery', token_hash: 'x', email: 'a@b.de' },
      400,
      'validation_failed',
      'Only the token_hash and type should be provided',
    ],
    [
      { type: 'recovery', email: 'a@b.de', token: '123456' },
      403,
      'otp_expired',
      'Token has expired or is invalid',
    ],
    [{ type: 'recovery', token_hash: 'x' }, 403, 'otp_expired', 'Email link is invalid or has expired'],
    [{ type: 'phone_change', token_hash: 'x' }, 400, 'validation_failed', 'Invalid email verification type'],
    [
      { type: 'phone_change', phone: '491701234567', token: '123456' },
      403,
      'otp_expired',
      'Token has expired or is invalid',
    ],
    [
      { type: 'email_change', email: 'a@b.de', token: '123456' },
      403,
      'otp_expired',
      'Token has expired or is invalid',
    ],
    [
      { type: 'recovery', phone: '491701234567', token: '123456' },
      400,
      'validation_failed',
      'Invalid sms verification type',
    ],
  ])('rejects %j', async (body, status, code, message) => {
    const response = await call(server, 'POST', '/verify', { body })
    expect(response.status).toBe(status)
    expect(response.body).toEqual({ code, message })
  })

  it('starts a recovery through auth-js', async () => {
    const { user } = await newUser(server)
    const token = (await linkFor(user.email)).searchParams.get('token') ?? ''
    const device = createDevice(server)
    const events: string[] = []
    device.onAuthStateChange((event) => void events.push(event))
    const { data, error } = await device.verifyOtp({ type: 'recovery', token_hash: token })
    expect(error).toBeNull()
    expect(data.user?.id).toBe(user.id)
    expect(events).toContain('PASSWORD_RECOVERY')
  })
})

describe('with a mail server', () => {
  let smtp: TestSmtpServer
  let emailing: TestServer
  let log = ''

  beforeAll(async () => {
    smtp = await startSmtpServer()
    emailing = await startTestServer({
      logger: createLogger('error', { write: (line) => void (log += line) }),
      config: { smtpUrl: smtp.url, rateLimitFactor: 1, mailFrom: 'Intercede <calm@example.org>' },
    })
    await newUser(emailing, 'ruth@example.com')
  })

  afterAll(async () => {
    await emailing.close()
    await smtp.close()
  })

  const requestLink = async (email: string) => call(emailing, 'POST', '/recover', { body: { email } })

  it('sends the email there', async () => {
    expect((await requestLink('ruth@example.com')).status).toBe(200)
    expect(smtp.emails).toHaveLength(1)
    expect(smtp.emails[0]).toMatchObject({ from: 'calm@example.org', to: ['ruth@example.com'] })
    expect(linkIn(smtp.emails[0]?.source ?? '').pathname).toBe('/auth/v1/verify')
  })

  it('sends one email per minute and address, and responds alike for an address without an account', async () => {
    emailing.clock.advance(60)
    await requestLink('ruth@example.com')
    await requestLink('nobody@example.com')
    emailing.clock.advance(20)
    for (const email of ['ruth@example.com', 'nobody@example.com']) {
      const response = await requestLink(email)
      expect(response.status).toBe(429)
      expect(response.body).toEqual({
        code: 'over_email_send_rate_limit',
        message: 'For security purposes, you can only request this after 40 seconds.',
      })
    }
    emailing.clock.advance(40)
    expect((await requestLink('ruth@example.com')).status).toBe(200)
  })

  it('does not count an email that the mail server rejected, and logs why', async () => {
    emailing.clock.advance(60)
    smtp.behaviour = 'reject'
    log = ''
    const failed = await requestLink('ruth@example.com')
    expect([failed.status, failed.body]).toEqual([200, {}])
    expect(log).toMatch(/"msg":"an email could not be sent"/)
    expect(log).toContain('The mail server responded to MAIL FROM with 550.')
    // It may quote the address.
    expect(log).not.toContain('not now')
    smtp.behaviour = 'accept'
    const before = smtp.emails.length
    expect((await requestLink('ruth@example.com')).status).toBe(200)
    expect(smtp.emails).toHaveLength(before + 1)
  })

  it('sends an email that was requested before the server stopped', async () => {
    const stopping = await startTestServer({ config: { smtpUrl: smtp.url } })
    await newUser(stopping, 'stopping@example.com')
    await createDevice(stopping).resetPasswordForEmail('stopping@example.com')
    await stopping.close()
    expect(smtp.emails.at(-1)?.to).toEqual(['stopping@example.com'])
  })
})

it('leaves the old password valid until it is changed', async () => {
  const { user } = await newUser(server)
  await linkFor(user.email)
  expect((await signIn(server, user.email, PASSWORD)).status).toBe(200)
})
