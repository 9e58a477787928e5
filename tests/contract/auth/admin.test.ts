// The admin API. supabase/auth internal/api/admin.go, invite.go, mail.go, verify.go, pagination.go.
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '#server/auth/clean-up.ts'
import { storeNewServiceKey } from '#server/auth/service-key.ts'
import { send } from '#tests/support/data-requests.ts'
import { linkIn, textOf } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import {
  call,
  claimsOf,
  newUser,
  PASSWORD,
  refresh,
  sessionOf,
  signIn,
  textMember,
  type ApiResponse,
} from './auth-client.ts'
import { addApp } from './two-factor-client.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir, disableSignup: true } }))
let key: string

beforeAll(async () => {
  key = await storeNewServiceKey(server.services.pool)
})

const DAY = 86_400
const NOBODY = '00000000-0000-4000-8000-000000000000'

const admin = (method: string, path: string, body?: unknown) =>
  call(server, method, path, {
    token: key,
    headers: { apikey: key },
    ...(body === undefined ? {} : { body }),
  })

const create = async (email: string, fields: object = {}) =>
  textMember((await admin('POST', '/admin/users', { email, ...fields })).body, 'id')

/** Opens a link as a browser does. Resolves to where it leads. */
async function open(link: string): Promise<{ address: string; parameters: URLSearchParams }> {
  const { pathname, search } = new URL(link)
  const response = await fetch(`${server.url}${pathname}${search}`, { redirect: 'manual' })
  const [address = '', fragment = ''] = (response.headers.get('location') ?? '').split('#')
  return { address, parameters: new URLSearchParams(fragment) }
}

const linkOf = ({ body }: ApiResponse) => textMember(body, 'action_link')

const refused = (code: string, message: string) => ({ code, message })

async function recordedActions(accountId: string): Promise<string[]> {
  const { rows } = await server.database.pool.query<{ action: string }>({
    text: `select action from intercede.account_actions where account_id = $1 and done_by = 'service key' order by id`,
    values: [accountId],
  })
  return rows.map(({ action }) => action)
}

describe('GET /admin/users', () => {
  it('lists accounts in pages, the newest first, with links to the others', async () => {
    const ids = []
    for (const name of ['a', 'b', 'c']) {
      server.clock.advance(1)
      ids.push(await create(`${name}@paged.example`))
    }
    const { status, headers, body } = await admin('GET', '/admin/users?page=1&per_page=2&filter=@PAGED')
    expect(status).toBe(200)
    expect(body).toMatchObject({ aud: 'authenticated', users: [{ id: ids[2] }, { id: ids[1] }] })
    expect(headers.get('x-total-count')).toBe('3')
    expect(headers.get('link')).toBe(
      '</admin/users?page=2&per_page=2&filter=%40PAGED>; rel="next", </admin/users?page=2&per_page=2&filter=%40PAGED>; rel="last"',
    )
    const last = await admin('GET', '/admin/users?page=2&per_page=2&filter=@paged')
    expect(last.body).toMatchObject({ users: [{ id: ids[0] }] })
    expect(last.headers.get('link')).not.toContain('next')
  })

  it('rejects a page that is no number', async () => {
    expect(await admin('GET', '/admin/users?page=x')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', message: expect.stringMatching(/^Bad Pagination Parameters/) },
    })
  })
})

describe('POST /admin/users', () => {
  it('creates an account that can sign in, with the metadata as given', async () => {
    const { status, body } = await admin('POST', '/admin/users', {
      email: 'Created@example.org',
      password: PASSWORD,
      email_confirm: true,
      user_metadata: { full_name: 'Ruth' },
      app_metadata: { roles: ['helper'] },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      email: 'created@example.org',
      email_confirmed_at: expect.any(String),
      user_metadata: { full_name: 'Ruth', email_verified: true },
      app_metadata: { provider: 'email', providers: ['email'], roles: ['helper'] },
      identities: [{ identity_data: { email: 'created@example.org', email_verified: false } }],
    })
    expect((await signIn(server, 'created@example.org')).status).toBe(200)
    expect(await recordedActions(textMember(body, 'id'))).toEqual(['create'])
  })

  it.each([
    [{}, 'validation_failed', 'Cannot create a user without either an email or phone'],
    [{ email: 'nothing' }, 'validation_failed', 'Unable to validate email address: invalid format'],
    [{ email: 'x@example.org', id: 'x' }, 'validation_failed', 'ID must conform to the uuid v4 format'],
    [
      { email: 'x@example.org', ban_duration: 'x' },
      'validation_failed',
      'invalid format for ban duration: "x"',
    ],
    [
      { email: 'x@example.org', role: 'service_role' },
      'validation_failed',
      'Not supported by this server: role',
    ],
    [
      { email: 'x@example.org', password_hash: '$2a$10$x' },
      'validation_failed',
      'Not supported by this server: password_hash',
    ],
    [{ phone: '+49' }, 'phone_provider_disabled', 'Phone numbers are not supported'],
  ])('rejects %j', async (fields, code, message) => {
    expect(await admin('POST', '/admin/users', fields)).toMatchObject({
      status: 400,
      body: refused(code, message),
    })
  })

  it('rejects an address that has an account', async () => {
    const { user } = await newUser(server)
    expect(await admin('POST', '/admin/users', { email: user.email })).toMatchObject({
      status: 422,
      body: refused('email_exists', 'A user with this email address has already been registered'),
    })
  })
})

describe('an id that an account has', () => {
  it('is rejected', async () => {
    const { user } = await newUser(server)
    expect(await admin('POST', '/admin/users', { id: user.id, email: 'other@example.org' })).toMatchObject({
      status: 422,
      body: { code: 'user_already_exists' },
    })
  })
})

describe('/admin/users/:id', () => {
  it.each(['GET', 'PUT', 'DELETE'])('%s rejects unknown and invalid ids', async (method) => {
    const body = method === 'GET' ? undefined : {}
    expect(await admin(method, `/admin/users/${NOBODY}`, body)).toMatchObject({
      status: 404,
      body: refused('user_not_found', 'User not found'),
    })
    expect(await admin(method, '/admin/users/x', body)).toMatchObject({
      status: 404,
      body: refused('validation_failed', 'user_id must be an UUID'),
    })
  })

  it('a new password ends all sessions, and the owner is told', async () => {
    const { user, refresh_token: token } = await newUser(server)
    const { status } = await admin('PUT', `/admin/users/${user.id}`, { password: 'a louder horse' })
    expect(status).toBe(200)
    expect((await refresh(server, token)).status).toBe(400)
    expect((await signIn(server, user.email, 'a louder horse')).status).toBe(200)
    expect((await mailbox.emails()).at(-1)).toContain('Subject: Your password for Intercede was changed')
    expect(await recordedActions(user.id)).toEqual(['change'])
  })

  it('a new address replaces the former one, which is told', async () => {
    const { user } = await newUser(server, 'former@example.org')
    const { body } = await admin('PUT', `/admin/users/${user.id}`, { email: 'latter@example.org' })
    expect(body).toMatchObject({
      email: 'latter@example.org',
      identities: [{ identity_data: { email: 'latter@example.org', email_verified: false } }],
    })
    const email = (await mailbox.emails()).at(-1) ?? ''
    expect(email).toContain('To: former@example.org')
    const other = await newUser(server)
    expect(
      await admin('PUT', `/admin/users/${other.user.id}`, { email: 'latter@example.org' }),
    ).toMatchObject({
      status: 422,
      body: { code: 'email_exists' },
    })
  })

  it('confirms an address, and merges metadata, in which a null removes a key', async () => {
    const id = await create('unconfirmed@example.org', { user_metadata: { a: 1, b: 2 } })
    const changes = {
      email_confirm: true,
      user_metadata: { b: null, c: 3 },
      app_metadata: { provider: null, x: 1 },
    }
    expect((await admin('PUT', `/admin/users/${id}`, changes)).body).toMatchObject({
      email_confirmed_at: expect.any(String),
      user_metadata: { a: 1, c: 3, email_verified: true },
      app_metadata: { providers: ['email'], x: 1 },
    })
  })

  it('the present address is no change, and leaves a pending one', async () => {
    const { user } = await newUser(server)
    const change = { type: 'email_change_new', email: user.email, new_email: `next_${user.email}` }
    const pending = linkOf(await admin('POST', '/admin/generate_link', change))
    const { body } = await admin('PUT', `/admin/users/${user.id}`, { email: user.email })
    expect(body).toMatchObject({ email: user.email, new_email: `next_${user.email}` })
    expect((await open(pending)).parameters.get('message')).toContain('Confirmation link accepted')
    const confirmed = await admin('PUT', `/admin/users/${user.id}`, { email_confirm: true })
    expect(confirmed.body).not.toHaveProperty('new_email')
  })

  it('an address that nobody has confirmed stays so when it is changed', async () => {
    const id = await create('first@example.org', { user_metadata: { email: 'x', email_verified: true } })
    const { body } = await admin('PUT', `/admin/users/${id}`, { email: 'second@example.org' })
    expect(body).toMatchObject({ user_metadata: { email_verified: false } })
    expect(body).not.toHaveProperty('email_confirmed_at')
  })

  it.each(['user_metadata', 'app_metadata'])('limits %s together with what is stored', async (field) => {
    const id = await create(`${field}@example.org`, { [field]: { a: 'x'.repeat(3000) } })
    const more = { [field]: { b: 'x'.repeat(3000) } }
    expect(await admin('PUT', `/admin/users/${id}`, more)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  })

  it('a ban ends access to data at once, without ending the session', async () => {
    const { user, access_token: token, refresh_token: refreshToken } = await newUser(server)
    const read = async () => (await send(server, '/categories', { token })).status
    expect(await read()).toBe(200)
    const until = (await admin('PUT', `/admin/users/${user.id}`, { ban_duration: '876600h' })).body
    expect(textMember(until, 'banned_until')).toMatch(/^2126-/)
    expect(await read()).toBe(401)
    expect(await call(server, 'GET', '/user', { token })).toMatchObject({
      status: 403,
      body: { code: 'user_banned' },
    })
    expect(await refresh(server, refreshToken)).toMatchObject({ status: 400, body: { code: 'user_banned' } })
    const { body } = await admin('PUT', `/admin/users/${user.id}`, { ban_duration: 'none' })
    expect(body).not.toHaveProperty('banned_until')
    expect(await read()).toBe(200)
    expect((await refresh(server, refreshToken)).status).toBe(200)
  })

  it('deletes an account with everything in it', async () => {
    const { user, access_token: token } = await newUser(server)
    await send(server, '/categories', { method: 'POST', token, body: { name: 'Friends', order: 1 } })
    const soft = await admin('DELETE', `/admin/users/${user.id}`, { should_soft_delete: true })
    expect(soft.body).toMatchObject({ message: 'Not supported by this server: should_soft_delete' })
    expect(await admin('DELETE', `/admin/users/${user.id}`, { should_soft_delete: false })).toMatchObject({
      status: 200,
      body: {},
    })
    expect((await admin('GET', `/admin/users/${user.id}`)).status).toBe(404)
    expect(await recordedActions(user.id)).toEqual(['delete'])
  })
})

describe('an invitation', () => {
  const invite = (email: string, data?: object) => admin('POST', '/invite', { email, data })
  const lastLink = async () => linkIn((await mailbox.emails()).at(-1) ?? '').href

  it('creates an account without a password, and emails a link to choose one, although sign-up is closed', async () => {
    const { status, body } = await invite('Invited@example.org', { full_name: 'Ruth' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      email: 'invited@example.org',
      invited_at: expect.any(String),
      user_metadata: { full_name: 'Ruth' },
    })
    expect(body).not.toHaveProperty('email_confirmed_at')
    const email = (await mailbox.emails()).at(-1) ?? ''
    expect(email).toContain('Subject: You are invited to Intercede')
    expect(textOf(email)).toContain('for seven days')

    server.clock.advance(7 * DAY - 1)
    const { address, parameters } = await open(await lastLink())
    expect(address).toBe('http://localhost:3000')
    expect(parameters.get('type')).toBe('invite')
    const token = parameters.get('access_token') ?? ''
    expect(claimsOf(token)).toMatchObject({ amr: [{ method: 'recovery' }] })
    expect((await call(server, 'PUT', '/user', { token, body: { password: PASSWORD } })).status).toBe(200)
    expect((await signIn(server, 'invited@example.org')).status).toBe(200)
    expect(await recordedActions(textMember(body, 'id'))).toEqual(['invite'])
  })

  it('ends after seven days, with its account', async () => {
    await invite('late@example.org')
    const link = await lastLink()
    server.clock.advance(7 * DAY)
    expect((await open(link)).parameters.get('error_code')).toBe('otp_expired')
    await cleanUp(server.services)
    expect((await admin('GET', '/admin/users?filter=late@')).body).toMatchObject({ users: [{}] })
    server.clock.advance(1)
    await cleanUp(server.services)
    expect((await admin('GET', '/admin/users?filter=late@')).body).toMatchObject({ users: [] })
  })

  it('is void once there is a newer one', async () => {
    await invite('twice@example.org')
    const first = await lastLink()
    server.clock.advance(60)
    await invite('twice@example.org')
    expect((await open(first)).parameters.get('error_code')).toBe('otp_expired')
    expect((await open(await lastLink())).parameters.get('type')).toBe('invite')
  })

  it('does not lengthen the life of other links', async () => {
    await invite('both@example.org')
    await call(server, 'POST', '/recover', { body: { email: 'both@example.org' } })
    const recovery = await lastLink()
    server.clock.advance(3601)
    expect((await open(recovery)).parameters.get('error_code')).toBe('otp_expired')
  })
})

describe('POST /admin/generate_link', () => {
  const generate = (fields: object) => admin('POST', '/admin/generate_link', fields)

  it.each(['recovery', 'magiclink', 'invite', 'signup'])(
    'makes a link of type %s, and sends nothing',
    async (type) => {
      const email = `${type}@linked.example`
      const isNew = type === 'invite' || type === 'signup'
      if (!isNew) await newUser(server, email)
      const before = (await mailbox.emails()).length
      const redirectTo = 'http://localhost:3000/here'
      const made = await generate({ type, email, password: PASSWORD, redirect_to: redirectTo })
      expect(made).toMatchObject({
        status: 200,
        body: { email, verification_type: type, redirect_to: redirectTo },
      })
      expect((await mailbox.emails()).length).toBe(before)
      const { address, parameters } = await open(linkOf(made))
      expect(address).toBe(redirectTo)
      expect(parameters.get('type')).toBe(type)
      expect(parameters.get('access_token')).not.toBeNull()
    },
  )

  it.each(['email_otp', 'hashed_token'])('the %s works as well', async (field) => {
    const { user } = await newUser(server)
    const { body } = await generate({ type: 'recovery', email: user.email })
    const value = textMember(body, field)
    const given = field === 'email_otp' ? { email: user.email, token: value } : { token_hash: value }
    const response = await call(server, 'POST', '/verify', { body: { type: 'recovery', ...given } })
    expect(sessionOf(response).user.id).toBe(user.id)
  })

  it('makes a magic link for an unknown address a sign-up', async () => {
    const { body } = await generate({ type: 'magiclink', email: 'unknown@linked.example' })
    expect(body).toMatchObject({ verification_type: 'signup', email: 'unknown@linked.example' })
  })

  it('changes an address by both links', async () => {
    const { user } = await newUser(server, 'old@linked.example')
    const links = []
    for (const type of ['email_change_current', 'email_change_new']) {
      const made = await generate({ type, email: user.email, new_email: 'new@linked.example' })
      expect(made.body).toMatchObject({ new_email: 'new@linked.example', verification_type: type })
      links.push(linkOf(made))
    }
    for (const link of links) await open(link)
    expect((await admin('GET', `/admin/users/${user.id}`)).body).toMatchObject({
      email: 'new@linked.example',
    })
  })

  it.each([false, true])(
    'asks both addresses, however many links for one are made (opened first: %s)',
    async (isOpened) => {
      const { user } = await newUser(server)
      const change = { type: 'email_change_new', email: user.email, new_email: `other_${user.email}` }
      const first = linkOf(await generate(change))
      if (isOpened) await open(first)
      const second = linkOf(await generate(change))
      for (const link of [first, second]) await open(link)
      expect((await admin('GET', `/admin/users/${user.id}`)).body).toMatchObject({ email: user.email })
    },
  )

  it.each([
    [{ type: 'recovery', email: 'nobody@linked.example' }, 404, 'User with this email not found'],
    [{ type: 'other', email: 'x@linked.example' }, 400, 'Invalid email action link type requested: other'],
    [{ type: 'signup', email: 'x@linked.example' }, 400, 'Signup requires a valid password'],
    [{ type: 'recovery', email: '' }, 400, 'An email address is required'],
  ])('rejects %j', async (fields, status, message) => {
    expect(await generate(fields)).toMatchObject({ status, body: { message } })
  })
})

describe('two-factor sign-in', () => {
  it('stays on, whatever is done with the key, and its code is still asked for', async () => {
    const session = await newUser(server)
    const { user } = session
    const { factorId } = await addApp(server, session)
    const list = await admin('GET', `/admin/users/${user.id}/factors`)
    expect(list.body).toMatchObject([{ id: factorId, status: 'verified' }])
    expect(JSON.stringify(list.body)).not.toContain('secret')
    expect(await admin('DELETE', `/admin/users/${user.id}/factors/${factorId}`)).toMatchObject({
      status: 403,
      body: { code: 'not_admin' },
    })
    const links = ['recovery', 'magiclink'].map(async (type) => {
      const made = await admin('POST', '/admin/generate_link', { type, email: user.email })
      return (await open(linkOf(made))).parameters.get('access_token') ?? ''
    })
    const refusal = { status: 403, body: { code: 'not_admin' } }
    const newEmail = 'thief@example.org'
    for (const email_confirm of [false, true])
      expect(await admin('PUT', `/admin/users/${user.id}`, { email: newEmail, email_confirm })).toMatchObject(
        refusal,
      )
    const change = { type: 'email_change_new', email: user.email, new_email: newEmail }
    expect(await admin('POST', '/admin/generate_link', change)).toMatchObject(refusal)
    await admin('PUT', `/admin/users/${user.id}`, { password: 'a louder horse', email_confirm: true })
    const { access_token: afterPassword } = sessionOf(await signIn(server, user.email, 'a louder horse'))
    for (const token of [...(await Promise.all(links)), afterPassword])
      expect((await send(server, '/categories', { token })).status).toBe(401)
    expect((await admin('GET', `/admin/users/${user.id}/factors`)).body).toHaveLength(1)
  })

  it('an app that has given no code yet can be removed', async () => {
    const { user, access_token: token } = await newUser(server)
    const body = { factor_type: 'totp', friendly_name: 'phone', current_password: PASSWORD }
    const id = textMember((await call(server, 'POST', '/factors', { token, body })).body, 'id')
    expect(await admin('DELETE', `/admin/users/${user.id}/factors/${id}`)).toMatchObject({
      status: 200,
      body: { id },
    })
    expect((await admin('GET', `/admin/users/${user.id}/factors`)).body).toEqual([])
  })
})
