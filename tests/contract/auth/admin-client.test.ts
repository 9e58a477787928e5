// The admin part of auth-js: what its own tests (test/GoTrueApi.test.ts) show, as far as this server has it (decision 52).
import { GoTrueAdminApi } from '@supabase/auth-js'
import { beforeAll, expect, it } from 'vitest'
import { storeNewServiceKey } from '#server/auth/service-key.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import { newUser, PASSWORD } from './auth-client.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({
  config: { dataDir: mailbox.dataDir, redirectUrls: ['https://a.example/**'] },
}))
const redirectTo = 'https://a.example/welcome'
let admin: GoTrueAdminApi

/** As createClient of supabase-js makes it of a secret key. */
beforeAll(async () => {
  const key = await storeNewServiceKey(server.services.pool)
  admin = new GoTrueAdminApi({
    url: `${server.url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
  })
})

let created = 0

async function createUser() {
  created += 1
  const email = `created${String(created)}@example.org`
  const { data, error } = await admin.createUser({ email, password: PASSWORD })
  if (error) throw error
  return { email, id: data.user.id }
}

it('lists and finds users', async () => {
  const { email, id } = await createUser()
  await createUser()
  const all = await admin.listUsers({ page: 1, perPage: 1 })
  expect(all.data).toMatchObject({ aud: 'authenticated', nextPage: 2 })
  expect(all.data.users).toHaveLength(1)
  expect((await admin.getUserById(id)).data.user?.email).toBe(email)
})

it('makes links to sign up', async () => {
  const { data, error } = await admin.generateLink({
    type: 'signup',
    email: 'linked@example.org',
    password: PASSWORD,
    options: { data: { status: 'alpha' }, redirectTo },
  })
  expect(error).toBeNull()
  expect(data.user?.user_metadata).toEqual({ status: 'alpha' })
  expect(data.properties).toMatchObject({
    email_otp: expect.any(String),
    hashed_token: expect.any(String),
    redirect_to: redirectTo,
    verification_type: 'signup',
  })
  const link = new URL(data.properties?.action_link ?? '')
  expect(link.searchParams.get('type')).toBe('signup')
  expect(link.searchParams.get('redirect_to')).toBe(redirectTo)
})

it('invites', async () => {
  const { data, error } = await admin.inviteUserByEmail('friend@example.org', {
    data: { status: 'alpha' },
    redirectTo,
  })
  expect(error).toBeNull()
  expect(data.user?.invited_at).toEqual(expect.any(String))
})

it('lists factors', async () => {
  const { id } = await createUser()
  expect((await admin.mfa.listFactors({ userId: id })).data).toEqual({ factors: [] })
})

it('signs a user out by the token of their session', async () => {
  const { access_token: token } = await newUser(server)
  expect((await admin.signOut(token)).error).toBeNull()
  expect((await admin.signOut('this-is-a-bad-token')).error?.message).toMatch(/^invalid JWT/)
})
