// What the service key, a leaked invitation and an ordinary user's token do not open.
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSignInLink } from '#server/auth/administration-links.ts'
import { createOrClaimAccount } from '#server/auth/create-account.ts'
import { createMailer } from '#server/mail/mailers.ts'
import { hashPassword } from '#server/auth/passwords.ts'
import { storeNewServiceKey } from '#server/auth/service-key.ts'
import { call, newUser, PASSWORD, refresh, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { useMailbox } from '#tests/support/shared-server.ts'
import { attack, bearer } from './attack.ts'
import { apiRoutes, protectedCalls } from './protected-calls.ts'
import { BENS_SECRET, useTwoUsers } from './two-users.ts'

const mailbox = useMailbox()
const world = useTwoUsers(() => ({ config: { dataDir: mailbox.dataDir } }))
let key: string

beforeAll(async () => {
  key = await storeNewServiceKey(world.server.services.pool)
})

const adminCalls = () =>
  apiRoutes(world.server.app)
    .filter(({ path }) => path.startsWith('/auth/v1/admin/') || path === '/auth/v1/invite')
    .map(({ method, path }) => ({
      method,
      path: path.replace(':id', world.ben.id).replace(':factor', world.ben.id),
      body: method === 'GET' ? undefined : { email: 'ben@example.org', type: 'recovery' },
    }))

describe('the service key', () => {
  it.each([
    ['as the API key', (given: string) => ({ apikey: given })],
    ['as the token too', (given: string) => ({ ...bearer(given), apikey: given })],
  ])('opens nothing that is for users, %s, and changes nothing', async (_how, headersOf) => {
    const before = await world.allRows()
    for (const request of await protectedCalls(world.server, world.ben)) {
      const { status, text } = await attack(world.server, { ...request, headers: headersOf(key) })
      expect([request.path, status]).toEqual([request.path, expect.toBeOneOf([401, 403])])
      expect(text).not.toContain(BENS_SECRET)
    }
    expect(await world.allRows()).toEqual(before)
  })

  it('is no API key of the data API and of reminders', async () => {
    const headers = { ...bearer(world.ben.session.access_token), apikey: key }
    for (const path of ['/rest/v1/prayers', '/reminders/v1/subscription'])
      expect((await attack(world.server, { method: 'GET', path, headers })).status).toBe(401)
  })

  it('is stored as a hash, and no guess, half or other key passes', async () => {
    const { pool } = world.server.services
    const { rows } = await pool.query<{ row: string }>('select s::text as row from intercede.settings s')
    expect(rows.some(({ row }) => row.includes(key.slice('sb_secret_'.length)))).toBe(false)
    for (const guess of [key.slice(0, -1), `${key}x`, key.toLowerCase(), `sb_secret_${'a'.repeat(43)}`])
      expect((await call(world.server, 'GET', '/admin/users', { token: guess })).status).toBe(403)
  })
})

describe('the admin API', () => {
  it('is closed to users, to the public key and to tokens that claim the role of a service, and changes nothing', async () => {
    const { services } = world.server
    const tokens = [
      world.anna.session.access_token,
      services.keys.anonKey,
      await accessTokenFor(services, world.anna.id, { role: 'service_role' }),
      await accessTokenFor(services, world.anna.id, { role: 'supabase_admin', aal: 'aal2' }),
    ]
    const calls = adminCalls()
    expect(calls.length).toBeGreaterThan(8)
    const before = await world.allRows()
    for (const request of calls) {
      for (const token of tokens) {
        const { status, text } = await attack(world.server, { ...request, headers: bearer(token) })
        expect([request.path, status]).toEqual([request.path, 403])
        expect(text).toContain('not_admin')
      }
      expect((await attack(world.server, request)).status).toBe(401)
    }
    expect(await world.allRows()).toEqual(before)
  })
})

describe('an invitation', () => {
  let invited = 0

  async function invite(address?: string): Promise<{ email: string; link: string }> {
    invited += 1
    const email = address ?? `invited${String(invited)}@example.org`
    const { services } = world.server
    const admin = { ...services, mailer: createMailer(services) }
    const given = {
      type: 'invite',
      email,
      passwordHash: '',
      userMetadata: {},
      redirectTo: services.config.siteUrl,
    }
    const recorded = { action: 'invite', by: 'command' } as const
    return { email, link: (await makeSignInLink(admin, recorded, { ...given, type: 'invite' })).link }
  }

  async function open(link: string): Promise<URLSearchParams> {
    const { pathname, search } = new URL(link)
    const { headers } = await fetch(`${world.server.url}${pathname}${search}`, { redirect: 'manual' })
    return new URLSearchParams((headers.get('location') ?? '').split('#')[1])
  }

  it('that two people open at once serves one of them', async () => {
    const { link } = await invite()
    const opened = await Promise.all([open(link), open(link), open(link)])
    expect(opened.filter((one) => one.has('access_token'))).toHaveLength(1)
    expect(opened.filter((one) => one.get('error_code') === 'otp_expired')).toHaveLength(2)
  })

  it('that leaked is taken back by the owner of the address, who asks for a new password', async () => {
    const { email, link } = await invite()
    const stranger = await open(link)
    const token = stranger.get('access_token') ?? ''
    await call(world.server, 'PUT', '/user', { token, body: { password: 'of a stranger' } })
    await call(world.server, 'POST', '/recover', { body: { email } })
    const own = await open(linkIn((await mailbox.emails()).at(-1) ?? '').href)
    const body = { password: PASSWORD }
    await call(world.server, 'PUT', '/user', { token: own.get('access_token') ?? '', body })
    expect((await refresh(world.server, stranger.get('refresh_token') ?? '')).status).toBe(400)
    expect((await signIn(world.server, email, 'of a stranger')).status).toBe(400)
    expect((await signIn(world.server, email)).status).toBe(200)
  })

  it('removes the password of a stranger who has signed up with the address before', async () => {
    const { pool, clock } = world.server.services
    const email = 'taken@example.org'
    const signedUp = { email, passwordHash: await hashPassword(PASSWORD), metadata: {}, confirmed: false }
    await createOrClaimAccount(pool, { ...signedUp, now: clock.now() })
    const { link } = await invite(email)
    expect((await open(link)).get('type')).toBe('invite')
    expect((await signIn(world.server, email)).status).toBe(400)
  })

  it('does not show to others: an address answers like one without it', async () => {
    const { email } = await invite()
    const responses = async (address: string) => {
      const body = { email: address, password: PASSWORD, type: 'signup' }
      const paths = ['/recover', '/resend', '/token?grant_type=password']
      const all = paths.map((path) => call(world.server, 'POST', path, { body }))
      return (await Promise.all(all)).map((response) => [response.status, response.body])
    }
    expect(await responses(email)).toEqual(await responses('nobody@example.org'))
    const { user } = await signUp(world.server, email)
    expect(user.email).toBe(email)
  })

  it('to an address with an account sends nothing, and changes nothing', async () => {
    const { user } = await newUser(world.server)
    const [rows, emails] = [await world.allRows(), (await mailbox.emails()).length]
    const response = await call(world.server, 'POST', '/invite', { token: key, body: { email: user.email } })
    expect(response).toMatchObject({ status: 422, body: { code: 'email_exists' } })
    expect([await world.allRows(), (await mailbox.emails()).length]).toEqual([rows, emails])
  })
})
