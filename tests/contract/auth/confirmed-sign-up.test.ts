// POST /signup and POST /resend where email addresses have to be confirmed. supabase/auth internal/api/signup.go, resend.go.
import { describe, expect, it } from 'vitest'
import { linkIn, textOf } from '#tests/support/mailbox.ts'
import { startTestServer } from '#tests/support/server.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import { call, createDevice, PASSWORD, signIn, textMember } from './auth-client.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir, confirmEmail: true } }))

const TARGET = 'http://localhost:3000/dashboard'
const NOW = '2026-03-01T09:00:00Z'

async function register(email: string, password = PASSWORD, data: Record<string, unknown> = {}) {
  return call(server, 'POST', `/signup?redirect_to=${encodeURIComponent(TARGET)}`, {
    body: { email, password, data },
  })
}

async function newestLink(): Promise<URL> {
  return linkIn((await mailbox.emails()).at(-1) ?? '')
}

async function open(link: URL): Promise<string> {
  const response = await fetch(`${server.url}${link.pathname}${link.search}`, { redirect: 'manual' })
  expect(response.status).toBe(303)
  return response.headers.get('location') ?? ''
}

describe('signing up', () => {
  it('returns the account without a session, and emails a link', async () => {
    const { status, body, headers } = await register('ruth@example.com', PASSWORD, { full_name: 'Ruth' })
    expect(status).toBe(200)
    const id = textMember(body, 'id')
    const metadata = {
      full_name: 'Ruth',
      email: 'ruth@example.com',
      email_verified: false,
      phone_verified: false,
      sub: id,
    }
    expect(body).toEqual({
      id,
      aud: 'authenticated',
      role: 'authenticated',
      email: 'ruth@example.com',
      phone: '',
      confirmation_sent_at: NOW,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: metadata,
      identities: [expect.objectContaining({ id, provider: 'email', identity_data: metadata })],
      created_at: NOW,
      updated_at: NOW,
      is_anonymous: false,
    })
    expect(headers.get('sb-auth-session-id')).toBeNull()
    const link = await newestLink()
    expect(link.searchParams.get('type')).toBe('signup')
    expect(link.searchParams.get('redirect_to')).toBe(TARGET)
  })

  it('allows signing in once the address is confirmed, and not before', async () => {
    await register('naomi@example.com')
    expect((await signIn(server, 'naomi@example.com')).body).toEqual({
      code: 'email_not_confirmed',
      message: 'Email not confirmed',
    })
    const link = await newestLink()
    server.clock.advance(10)
    const location = await open(link)
    expect(location.startsWith(`${TARGET}#access_token=`)).toBe(true)
    const fragment = new URLSearchParams(location.split('#')[1])
    expect(fragment.get('type')).toBe('signup')
    const { body } = await call(server, 'GET', '/user', { token: fragment.get('access_token') ?? '' })
    expect(body).toMatchObject({
      email_confirmed_at: '2026-03-01T09:00:10Z',
      confirmed_at: '2026-03-01T09:00:10Z',
      user_metadata: { email_verified: true },
      identities: [{ identity_data: { email_verified: true } }],
    })
    expect((await signIn(server, 'naomi@example.com')).status).toBe(200)
    expect(await open(link)).toBe(
      `${TARGET}#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=`,
    )
  })

  it('with a registered address changes nothing, and tells its owner by email how to sign in', async () => {
    await register('boaz@example.com')
    await open(await newestLink())
    await register('boaz@example.com', 'other password', { name: 'x' })
    const email = (await mailbox.emails()).at(-1) ?? ''
    expect(email).toMatch(/^To: boaz@example\.com\r$/m)
    expect(email).toMatch(/^Subject: You already have an account for Intercede\r$/m)
    expect(textOf(email)).toMatch(/^Sign in:\r?\nhttp:\/\/localhost:3000\/\r?$/m)
    expect(textOf(email)).toContain('http://localhost:3000/?mode=reset')
    expect((await signIn(server, 'boaz@example.com')).status).toBe(200)
    expect((await signIn(server, 'boaz@example.com', 'other password')).status).toBe(400)
  })

  it('returns a user without a session through auth-js', async () => {
    const { data, error } = await createDevice(server).signUp({
      email: 'device@example.com',
      password: PASSWORD,
      options: { emailRedirectTo: TARGET },
    })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user?.identities).toHaveLength(1)
  })
})

describe('resending the email', () => {
  const resend = async (body: Record<string, unknown>) => call(server, 'POST', '/resend', { body })

  it('sends a new link', async () => {
    await register('lydia@example.com')
    const { data, error } = await createDevice(server).resend({
      type: 'signup',
      email: 'lydia@example.com',
      options: { emailRedirectTo: TARGET },
    })
    expect(error).toBeNull()
    expect(data).toEqual({ user: null, session: null })
    await server.services.background.settled()
    expect(await open(await newestLink())).toContain(`${TARGET}#access_token=`)
  })

  it('responds alike for addresses that are confirmed or unknown, and emails nothing', async () => {
    const emails = (await mailbox.emails()).length
    for (const email of ['lydia@example.com', 'nobody@example.com']) {
      const response = await resend({ type: 'signup', email })
      expect([response.status, response.body]).toEqual([200, {}])
    }
    expect((await mailbox.emails()).length).toBe(emails)
  })

  it.each([
    [{ type: 'magic' }, 'Missing one of these types: signup, email_change, sms, phone_change'],
    [{ type: 'signup' }, 'Type provided requires an email address'],
    [{ type: 'sms', email: 'a@b.de' }, 'Type provided requires a phone number'],
    [{ type: 'email_change' }, 'Missing email address or phone number'],
    [{ type: 'signup', email: 'nothing' }, 'Unable to validate email address: invalid format'],
  ])('rejects %j', async (body, message) => {
    const response = await resend(body)
    expect(response.status).toBe(400)
    expect(response.body).toEqual({ code: 'validation_failed', message })
  })
})

it('lets the same sign-up succeed after a failure of the mail server', async () => {
  const smtp = await startSmtpServer()
  const emailing = await startTestServer({
    config: { smtpUrl: smtp.url, confirmEmail: true, rateLimitFactor: 1 },
  })
  const attempt = async () =>
    call(emailing, 'POST', '/signup', { body: { email: 'ruth@example.com', password: PASSWORD } })
  smtp.behaviour = 'reject'
  const failed = await attempt()
  expect([failed.status, failed.body]).toEqual([
    500,
    { code: 'unexpected_failure', message: 'Error sending confirmation email' },
  ])
  smtp.behaviour = 'accept'
  expect((await attempt()).status).toBe(200)
  expect(smtp.emails).toHaveLength(1)
  const tooSoon = await attempt()
  expect([tooSoon.status, tooSoon.body]).toEqual([
    429,
    {
      code: 'over_email_send_rate_limit',
      message: 'For security purposes, you can only request this after 60 seconds.',
    },
  ])
  await emailing.close()
  await smtp.close()
})

it('gives an unconfirmed account to the user who signs up with its address after confirmation was switched off', async () => {
  await register('silas@example.com', 'never confirmed')
  server.services.config.confirmEmail = false
  const response = await register('silas@example.com')
  server.services.config.confirmEmail = true
  expect(response.status).toBe(200)
  expect(response.body).toHaveProperty('access_token')
  expect((await signIn(server, 'silas@example.com', 'never confirmed')).status).toBe(400)
  expect((await signIn(server, 'silas@example.com')).status).toBe(200)
})
