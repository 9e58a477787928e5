// GET and PUT /user. supabase/auth internal/api/user.go, internal/models/user.go UpdatePassword.
import { describe, expect, it } from 'vitest'
import { textOf } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import { call, createDevice, newUser, PASSWORD, refresh, sessionOf, signIn } from './auth-client.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))

describe('reading the account', () => {
  it('returns the same user as the session did', async () => {
    const { access_token: token, user } = await newUser(server)
    const response = await call(server, 'GET', '/user', { token })
    expect(response.status).toBe(200)
    expect(response.body).toEqual(user)
    expect(response.body).not.toHaveProperty('encrypted_password')
  })

  it('preserves the microseconds of accounts moved from Supabase', async () => {
    const { access_token: token, user } = await newUser(server)
    await server.database.pool.query(
      "update auth.users set created_at = '2024-05-06 07:08:09.123456+02' where id = $1",
      [user.id],
    )
    expect((await call(server, 'GET', '/user', { token })).body).toMatchObject({
      created_at: '2024-05-06T05:08:09.123456Z',
    })
  })

  it('reports a lost session through auth-js as such', async () => {
    const device = createDevice(server)
    const { data } = await device.signUp({ email: 'lost@example.com', password: PASSWORD })
    await call(server, 'POST', '/logout', { token: data.session?.access_token ?? '' })
    const { error } = await device.getUser(data.session?.access_token)
    expect(error).toMatchObject({ name: 'AuthSessionMissingError' })
  })
})

describe('a new password', () => {
  it('replaces the old one and ends every other session, but not this one', async () => {
    const here = await newUser(server)
    const elsewhere = sessionOf(await signIn(server, here.user.email))
    server.clock.advance(5)
    const response = await call(server, 'PUT', '/user', {
      token: here.access_token,
      body: { password: 'a new horse', code_challenge: null, code_challenge_method: null },
    })
    expect(response.status).toBe(200)
    const time = server.clock.now().toISOString().replace('.000Z', 'Z')
    expect(response.body).toMatchObject({ id: here.user.id, updated_at: time })
    expect((await signIn(server, here.user.email)).status).toBe(400)
    expect((await signIn(server, here.user.email, 'a new horse')).status).toBe(200)
    expect((await call(server, 'GET', '/user', { token: here.access_token })).status).toBe(200)
    expect((await refresh(server, here.refresh_token)).status).toBe(200)
    expect((await call(server, 'GET', '/user', { token: elsewhere.access_token })).status).toBe(403)
    expect((await refresh(server, elsewhere.refresh_token)).status).toBe(400)
  })

  it.each([
    [
      'the same as the old one',
      PASSWORD,
      422,
      { code: 'same_password', message: 'New password should be different from the old password.' },
    ],
    [
      'too short',
      'five5',
      422,
      {
        code: 'weak_password',
        message: 'Password should be at least 6 characters.',
        weak_password: { reasons: ['length'] },
      },
    ],
    [
      'too long',
      'x'.repeat(73),
      400,
      { code: 'validation_failed', message: 'Password cannot be longer than 72 characters' },
    ],
  ])('may not be %s', async (_name, password, status, expected) => {
    const { access_token: token, user } = await newUser(server)
    const response = await call(server, 'PUT', '/user', { token, body: { password } })
    expect(response.status).toBe(status)
    expect(response.body).toEqual(expected)
    expect((await signIn(server, user.email)).status).toBe(200)
  })

  it('set in another tab meanwhile makes the former one wrong', async () => {
    const { access_token: token, user } = await newUser(server)
    const change = async (password: string) =>
      call(server, 'PUT', '/user', { token, body: { password, current_password: PASSWORD } })
    expect((await change('of the first tab')).status).toBe(200)
    const second = await change('of the second tab')
    expect([second.status, second.body]).toEqual([
      400,
      {
        code: 'current_password_invalid',
        message: 'Current password required when setting new password.',
      },
    ])
    expect((await signIn(server, user.email, 'of the first tab')).status).toBe(200)
  })

  it('is announced by email, with a link to set another one', async () => {
    const { access_token: token, user } = await newUser(server)
    await call(server, 'PUT', '/user', { token, body: { password: 'a new horse' } })
    const email = (await mailbox.emails()).at(-1) ?? ''
    expect(email).toMatch(new RegExp(`^To: ${user.email}\\r$`, 'm'))
    expect(email).toMatch(/^Subject: Your password for Intercede was changed\r$/m)
    expect(textOf(email)).toContain('http://localhost:3000/?mode=reset')
  })

  it('is rejected through auth-js with the reasons why it is weak', async () => {
    const device = createDevice(server)
    await device.signUp({ email: 'weak@example.com', password: PASSWORD })
    const { access_token, refresh_token } = sessionOf(await signIn(server, 'weak@example.com'))
    const { error } = await createDevice(server).setSession({ access_token, refresh_token })
    expect(error).toBeNull()
    const response = await device.updateUser({ password: 'five5' })
    expect(response.error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] })
  })
})

describe('the name', () => {
  it('is set and cleared through auth-js', async () => {
    const device = createDevice(server)
    await device.signUp({ email: 'named@example.com', password: PASSWORD })
    const named = await device.updateUser({ data: { full_name: 'Ruth Amsel' } })
    expect(named.data.user?.user_metadata['full_name']).toBe('Ruth Amsel')
    const cleared = await device.updateUser({ data: { full_name: null } })
    expect(cleared.error).toBeNull()
    expect(cleared.data.user?.user_metadata).not.toHaveProperty('full_name')
  })

  it.each([
    ['much too long', 'x'.repeat(5000), 'validation_failed', 'User data can have at most 4096 bytes'],
    [
      'not storable',
      'Ruth\0',
      'bad_json',
      'Could not parse request body as JSON: "data" must have at most 32 levels and no NUL characters or unpaired surrogates',
    ],
  ])('is rejected if it is %s', async (_kind, name, code, message) => {
    const { access_token: token, user } = await newUser(server)
    const response = await call(server, 'PUT', '/user', { token, body: { data: { full_name: name } } })
    expect([response.status, response.body]).toEqual([400, { code, message }])
    expect((await call(server, 'GET', '/user', { token })).body).toEqual(user)
  })
})

describe('user metadata', () => {
  it('is merged; a null removes its key', async () => {
    const { access_token: token, user } = await newUser(server)
    await call(server, 'PUT', '/user', { token, body: { data: { full_name: 'Ruth', color: 'blue' } } })
    const { body } = await call(server, 'PUT', '/user', {
      token,
      body: { data: { color: null, nested: { kept: null } } },
    })
    expect(body).toMatchObject({ id: user.id })
    expect(Object(body).user_metadata).toEqual({
      email: user.email,
      email_verified: true,
      phone_verified: false,
      sub: user.id,
      full_name: 'Ruth',
      nested: { kept: null },
    })
  })

  it('is not lost when several devices change it at once', async () => {
    const { access_token: token } = await newUser(server)
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) =>
        call(server, 'PUT', '/user', { token, body: { data: { [name]: 1 } } }),
      ),
    )
    expect((await call(server, 'GET', '/user', { token })).body).toMatchObject({
      user_metadata: { a: 1, b: 1, c: 1 },
    })
  })
})

describe('a user may not change', () => {
  it.each([
    ['app_metadata', { app_metadata: { admin: true } }, 403, 'not_admin'],
    ['the phone number', { phone: '+4912345' }, 400, 'phone_provider_disabled'],
    ['the address to an invalid one', { email: 'nothing' }, 400, 'validation_failed'],
  ])('%s', async (_name, body, status, code) => {
    const { access_token: token, user } = await newUser(server)
    const response = await call(server, 'PUT', '/user', { token, body })
    expect(response.status).toBe(status)
    expect(response.body).toMatchObject({ code })
    expect((await call(server, 'GET', '/user', { token })).body).toEqual(user)
  })
})
