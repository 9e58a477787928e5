// POST /signup. The rules follow supabase/auth internal/api/signup.go, password.go and mail.go.
import { describe, expect, it } from 'vitest'
import { startTestServer } from '#tests/support/server.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { call, claimsOf, PASSWORD, sessionOf, signIn, signUp } from './auth-client.ts'

const server = useTestServer()

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NOW = '2026-03-01T09:00:00Z'

describe('signing up where email addresses need no confirmation', () => {
  it("returns a session with its fields in GoTrue's order", async () => {
    const response = await call(server, 'POST', '/signup', {
      body: { email: 'Ruth@Example.com', password: PASSWORD, data: {}, gotrue_meta_security: {} },
    })
    expect(response.status).toBe(200)
    const session = sessionOf(response)
    // tokens/service.go AccessTokenResponse; weak_password belongs to the password grant alone.
    expect(Object.keys(session)).toEqual([
      'access_token',
      'token_type',
      'expires_in',
      'expires_at',
      'refresh_token',
      'user',
    ])
    expect(response.body).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(session.expires_at).toBe(Date.parse(NOW) / 1000 + 3600)
    expect(session.refresh_token).toMatch(/^[a-z2-7]{52}$/)
  })

  it("returns the whole account, with times in Go's format and without fields that are not set", async () => {
    const { user } = await signUp(server, 'naomi@example.com')
    const { id } = user
    expect(id).toMatch(UUID)
    const metadata = { email: 'naomi@example.com', phone_verified: false, sub: id }
    // models/user.go; models/identity.go. Autoconfirm verifies the user's metadata, not the identity's.
    expect(user).toEqual({
      id,
      aud: 'authenticated',
      role: 'authenticated',
      email: 'naomi@example.com',
      email_confirmed_at: NOW,
      phone: '',
      confirmed_at: NOW,
      last_sign_in_at: NOW,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { ...metadata, email_verified: true },
      identities: [
        {
          identity_id: expect.stringMatching(UUID),
          id,
          user_id: id,
          identity_data: { ...metadata, email_verified: false },
          provider: 'email',
          last_sign_in_at: NOW,
          created_at: NOW,
          updated_at: NOW,
          email: 'naomi@example.com',
        },
      ],
      created_at: NOW,
      updated_at: NOW,
      is_anonymous: false,
    })
  })

  it('signs a token with the claims of account, session and sign-in method', async () => {
    const { access_token: token, user } = await signUp(server, 'boaz@example.com')
    const now = Date.parse(NOW) / 1000
    // tokens/service.go AccessTokenClaims: aud is text, no jti, no nbf.
    expect(claimsOf(token)).toEqual({
      iss: 'http://localhost:3000/auth/v1',
      sub: user.id,
      aud: 'authenticated',
      exp: now + 3600,
      iat: now,
      email: 'boaz@example.com',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { email: 'boaz@example.com', email_verified: true, phone_verified: false, sub: user.id },
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: now }],
      session_id: expect.stringMatching(UUID),
      is_anonymous: false,
    })
  })

  it('returns account, session and the prefix of the refresh token in headers', async () => {
    const response = await call(server, 'POST', '/signup', {
      body: { email: 'orpah@example.com', password: PASSWORD },
    })
    const session = sessionOf(response)
    expect(response.headers.get('sb-auth-user-id')).toBe(session.user.id)
    expect(response.headers.get('sb-auth-session-id')).toMatch(UUID)
    expect(response.headers.get('sb-auth-refresh-token-prefix')).toBe(session.refresh_token.slice(0, 5))
    expect(response.headers.get('x-sb-error-code')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('stores the given metadata, except fields that only the server may set', async () => {
    const response = await call(server, 'POST', '/signup', {
      body: {
        email: 'lois@example.com',
        password: PASSWORD,
        data: { full_name: 'Lois', email: 'other@example.com', email_verified: 'yes', sub: 'me' },
      },
    })
    const { user } = sessionOf(response)
    expect(user).toMatchObject({
      user_metadata: { full_name: 'Lois', email: 'lois@example.com', email_verified: true, sub: user.id },
      identities: [{ identity_data: { full_name: 'Lois', email: 'lois@example.com', sub: user.id } }],
    })
  })

  it('rejects an address that has an account, in any letter case, and leaves its password alone', async () => {
    await signUp(server, 'eunice@example.com')
    const response = await call(server, 'POST', '/signup', {
      body: { email: 'EUNICE@example.com', password: 'another password' },
    })
    expect(response.status).toBe(422)
    expect(response.body).toEqual({ code: 'user_already_exists', message: 'User already registered' })
    expect((await signIn(server, 'eunice@example.com')).status).toBe(200)
  })

  it('creates one account for two concurrent requests', async () => {
    const body = { email: 'twins@example.com', password: PASSWORD }
    const responses = await Promise.all([
      call(server, 'POST', '/signup', { body }),
      call(server, 'POST', '/signup', { body }),
    ])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
  })
})

describe('a sign-up is rejected', () => {
  const weak = (message: string) => ({
    code: 'weak_password',
    message,
    weak_password: { reasons: ['length'] },
  })
  const invalid = (message: string) => ({ code: 'validation_failed', message })
  const email = 'timothy@example.com'

  it.each([
    [
      'with neither address nor password',
      {},
      422,
      { code: 'anonymous_provider_disabled', message: 'Anonymous sign-ins are disabled' },
    ],
    ['without a password', { email }, 400, invalid('Signup requires a valid password')],
    [
      'with null as the password',
      { email, password: null },
      400,
      invalid('Signup requires a valid password'),
    ],
    [
      'with a password of 73 bytes',
      { email, password: 'x'.repeat(73) },
      400,
      invalid('Password cannot be longer than 72 characters'),
    ],
    [
      'with a password of 5 letters',
      { email, password: 'five5' },
      422,
      weak('Password should be at least 6 characters.'),
    ],
    [
      'with a weak password, before its invalid address is noticed',
      { email: 'x', password: 'five5' },
      422,
      weak('Password should be at least 6 characters.'),
    ],
    [
      'with a phone number',
      { phone: '+4912345', password: PASSWORD },
      400,
      { code: 'phone_provider_disabled', message: 'Phone signups are disabled' },
    ],
    [
      'with an address that is too long',
      { email: `${'x'.repeat(251)}@a.de`, password: PASSWORD },
      400,
      invalid('An email address is too long'),
    ],
    [
      'with an invalid address',
      { email: 'timothy', password: PASSWORD },
      400,
      invalid('Unable to validate email address: invalid format'),
    ],
    [
      'with two addresses',
      { email: 'a@b.de\nBcc: c@d.de', password: PASSWORD },
      400,
      invalid('Unable to validate email address: invalid format'),
    ],
  ])('%s', async (_name, body, status, expected) => {
    const response = await call(server, 'POST', '/signup', { body })
    expect(response.body).toEqual(expected)
    expect(response.status).toBe(status)
    expect(response.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect((await signIn(server, email)).status).toBe(400)
  })

  it.each([
    ['invalid JSON', '{"email":'],
    ['no body', ''],
    ['an array', '[]'],
    ['a number as the address', '{"email":5,"password":"long enough"}'],
    ['NUL in data', '{"email":"nul@example.com","password":"long enough","data":{"a":"\\u0000"}}'],
    [
      'an unpaired surrogate in data',
      '{"email":"nul@example.com","password":"long enough","data":{"\\ud800":1}}',
    ],
  ])('with %s, which is bad_json', async (_name, text) => {
    const response = await call(server, 'POST', '/signup', { text })
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ code: 'bad_json' })
  })
})

it('rejects every sign-up where sign-up is disabled', async () => {
  const closed = await startTestServer({ config: { disableSignup: true } })
  const response = await call(closed, 'POST', '/signup', {
    body: { email: 'late@example.com', password: PASSWORD },
  })
  await closed.close()
  expect(response.status).toBe(422)
  expect(response.body).toEqual({ code: 'signup_disabled', message: 'Signups not allowed for this instance' })
})
