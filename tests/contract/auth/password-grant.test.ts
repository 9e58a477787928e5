// POST /token?grant_type=password. supabase/auth internal/api/token.go ResourceOwnerPasswordGrant.
import { hash as hashBcrypt } from '@node-rs/bcrypt'
import { beforeAll, describe, expect, it } from 'vitest'
import { useTestServer } from '#tests/support/shared-server.ts'
import { call, claimsOf, createDevice, newUser, PASSWORD, sessionOf, signIn } from './auth-client.ts'

const server = useTestServer()

beforeAll(async () => {
  await newUser(server, 'ruth@example.com')
})

const WRONG = { code: 'invalid_credentials', message: 'Invalid login credentials' }

describe('signing in', () => {
  it('returns a session, and reports that the password is not weak', async () => {
    server.clock.advance(60)
    const response = await signIn(server, 'ruth@example.com')
    expect(response.status).toBe(200)
    expect(response.headers.get('sb-auth-session-id')).not.toBeNull()
    // tokens/service.go: `omitempty` does not omit a typed nil pointer.
    expect(response.body).toMatchObject({ weak_password: null, token_type: 'bearer' })
    const { user, access_token: token } = sessionOf(response)
    expect(user).toMatchObject({
      created_at: '2026-03-01T09:00:00Z',
      last_sign_in_at: '2026-03-01T09:01:00Z',
      updated_at: '2026-03-01T09:01:00Z',
    })
    const now = server.clock.now().getTime() / 1000
    expect(claimsOf(token)).toMatchObject({ amr: [{ method: 'password', timestamp: now }], iat: now })
  })

  it('accepts the address in any letter case', async () => {
    expect((await signIn(server, 'RUTH@Example.COM')).status).toBe(200)
  })
})

describe('signing in with a wrong password fails', () => {
  // Alike for unknown addresses and accounts without a password: tests/security/account-enumeration.test.ts.
  it('without saying what was wrong', async () => {
    const response = await signIn(server, 'ruth@example.com', 'wrong horse')
    expect(response.body).toEqual(WRONG)
    expect(response.status).toBe(400)
    expect(response.headers.get('x-sb-error-code')).toBe('invalid_credentials')
  })

  it('through auth-js, with code and status', async () => {
    const { error } = await createDevice(server).signInWithPassword({
      email: 'ruth@example.com',
      password: 'wrong horse',
    })
    expect(error).toMatchObject({
      name: 'AuthApiError',
      code: 'invalid_credentials',
      status: 400,
      message: 'Invalid login credentials',
    })
  })
})

describe('signing in is rejected', () => {
  it('for a banned account, which only callers with the right password learn', async () => {
    const { user } = await newUser(server, 'banned@example.com')
    const until = new Date(server.clock.now().getTime() + 1000)
    await server.database.pool.query('update auth.users set banned_until = $2 where id = $1', [
      user.id,
      until,
    ])
    expect((await signIn(server, 'banned@example.com')).body).toEqual({
      code: 'user_banned',
      message: 'User is banned',
    })
    expect((await signIn(server, 'banned@example.com', 'wrong horse')).body).toEqual(WRONG)
    server.clock.advance(2)
    expect((await signIn(server, 'banned@example.com')).status).toBe(200)
  })

  it('for an unconfirmed address, which only callers with the right password learn', async () => {
    const { user } = await newUser(server, 'unconfirmed@example.com')
    await server.database.pool.query('update auth.users set email_confirmed_at = null where id = $1', [
      user.id,
    ])
    const response = await signIn(server, 'unconfirmed@example.com')
    expect(response.status).toBe(400)
    expect(response.body).toEqual({ code: 'email_not_confirmed', message: 'Email not confirmed' })
    expect((await signIn(server, 'unconfirmed@example.com', 'wrong horse')).body).toEqual(WRONG)
  })

  it.each([
    ['password', { password: PASSWORD }, 400, 'validation_failed', 'missing email or phone'],
    [
      'password',
      { phone: '+49123', password: 'x' },
      422,
      'phone_provider_disabled',
      'Phone logins are disabled',
    ],
    ['magic', { email: 'a@b.de' }, 400, 'invalid_credentials', 'unsupported_grant_type'],
    ['', {}, 400, 'invalid_credentials', 'unsupported_grant_type'],
  ])('for grant type %j and body %j', async (grant, body, status, code, message) => {
    const response = await call(server, 'POST', `/token?grant_type=${grant}`, { body })
    expect(response.status).toBe(status)
    expect(response.body).toEqual({ code, message })
  })
})

describe('an account moved from Supabase with its bcrypt hash', () => {
  it('signs in with its password, which is then stored with a stronger hash', async () => {
    const { user } = await newUser(server, 'moved@example.com')
    const bcrypt = await hashBcrypt('old password', 4)
    const storedHash = async () => {
      const { rows } = await server.database.pool.query<{ hash: string }>(
        'select encrypted_password as hash from auth.users where id = $1',
        [user.id],
      )
      return rows[0]?.hash
    }
    await server.database.pool.query('update auth.users set encrypted_password = $2 where id = $1', [
      user.id,
      bcrypt,
    ])
    expect((await signIn(server, 'moved@example.com', 'wrong')).body).toEqual(WRONG)
    expect(await storedHash()).toBe(bcrypt)
    expect((await signIn(server, 'moved@example.com', 'old password')).status).toBe(200)
    expect(await storedHash()).toMatch(/^\$argon2id\$/)
    expect((await signIn(server, 'moved@example.com', 'old password')).status).toBe(200)
  })
})

it('stores no password, only its hash', async () => {
  const { rows } = await server.database.pool.query<{ row: string }>(
    'select u::text as row from auth.users u',
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.some(({ row }) => row.includes(PASSWORD))).toBe(false)
})
