import { beforeEach, describe, expect, it } from 'vitest'
import { call, createDevice, sessionOf, signIn } from '#tests/contract/auth/auth-client.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'

const SITE = 'http://localhost:3000'
const VICTIM = 'victim@example.org'
const OWN = 'the password of the owner'
const ATTACKERS = 'the password of the attacker'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir, confirmEmail: true } }))

beforeEach(() => server.database.pool.query('delete from auth.users'))

/** Signs up and returns the link that the address was sent. */
async function signUp(password: string, name: string): Promise<URL> {
  const body = { email: VICTIM, password, data: { full_name: name } }
  expect((await call(server, 'POST', '/signup', { body })).status).toBe(200)
  server.clock.advance(61)
  return linkIn((await mailbox.emails()).at(-1) ?? '')
}

async function open(link: URL): Promise<URL> {
  const response = await fetch(`${server.url}${link.pathname}${link.search}`, { redirect: 'manual' })
  return new URL(response.headers.get('location') ?? '')
}

/** Empty if no password is valid. */
async function storedHash(): Promise<unknown> {
  const { rows } = await server.database.pool.query('select encrypted_password as hash from auth.users')
  return rows[0].hash
}

describe('signing up with someone else\u2019s address that is not confirmed yet', () => {
  it.each([
    ['after the owner', [OWN, ATTACKERS]],
    ['before the owner', [ATTACKERS, OWN]],
    ['before and after the owner', [ATTACKERS, OWN, ATTACKERS]],
  ])('%s makes no password valid, whichever link is opened', async (_when, passwords) => {
    for (const opened of passwords.keys()) {
      await server.database.pool.query('delete from auth.users')
      const links: URL[] = []
      for (const password of passwords) links.push(await signUp(password, password))
      expect(await storedHash()).toBe('')

      const location = await open(links[opened] ?? new URL(SITE))
      expect(`${location.origin}${location.pathname}`).toBe(`${SITE}/reset-password`)
      const fragment = new URLSearchParams(location.hash.slice(1))
      expect(fragment.get('type')).toBe('recovery')
      expect(await storedHash()).toBe('')

      const token = fragment.get('access_token') ?? ''
      const { body } = await call(server, 'GET', '/user', { token })
      expect(body).toMatchObject({ email: VICTIM, user_metadata: { email_verified: true } })
      expect(body).not.toHaveProperty('user_metadata.full_name')
      const changed = await call(server, 'PUT', '/user', { token, body: { password: OWN } })
      expect(changed.status).toBe(200)
    }
    expect((await signIn(server, VICTIM, ATTACKERS)).status).toBe(400)
    expect((await signIn(server, VICTIM, OWN)).status).toBe(200)
  })

  it('does not void the owner\u2019s link, however often it is tried within an hour', async () => {
    const link = await signUp(OWN, 'Ruth')
    for (let attempt = 0; attempt < 9; attempt += 1) await signUp(ATTACKERS, 'Mallory')
    expect((await open(link)).hash).toContain('access_token=')
  })

  it('does not void the owner\u2019s link either if another one is requested', async () => {
    const link = await signUp(OWN, 'Ruth')
    const emails = (await mailbox.emails()).length
    for (let attempt = 0; attempt < 9; attempt += 1) {
      const body = { type: 'signup', email: VICTIM }
      expect((await call(server, 'POST', '/resend', { body })).status).toBe(200)
      server.clock.advance(61)
    }
    expect((await mailbox.emails()).length).toBe(emails + 9)
    expect((await open(link)).hash).toContain('access_token=')
  })

  it('leaves no other link valid once one has confirmed the address', async () => {
    const older = await signUp(OWN, 'Ruth')
    await open(await signUp(ATTACKERS, 'Mallory'))
    expect((await open(older)).hash).toContain('error_code=otp_expired')
  })

  it('is recognised when the link\u2019s token is sent without the link', async () => {
    await signUp(ATTACKERS, 'Mallory')
    const link = await signUp(OWN, 'Ruth')
    const device = createDevice(server)
    const { data, error } = await device.verifyOtp({
      type: 'signup',
      token_hash: link.searchParams.get('token') ?? '',
    })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(VICTIM)
    expect((await device.updateUser({ password: OWN })).error).toBeNull()
  })
})

describe('a password that was set before the address was confirmed', () => {
  const NEW = 'another password of the owner'

  /** The link that the address is sent when a new password is requested. */
  async function recover(): Promise<URL> {
    expect((await call(server, 'POST', '/recover', { body: { email: VICTIM } })).status).toBe(200)
    server.clock.advance(61)
    return linkIn((await mailbox.emails()).at(-1) ?? '')
  }

  async function openForToken(link: URL): Promise<string> {
    return new URLSearchParams((await open(link)).hash.slice(1)).get('access_token') ?? ''
  }

  const setPassword = async (token: string, password: string) =>
    call(server, 'PUT', '/user', { token, body: { password } })
  const signInStatus = async (password: string) => (await signIn(server, VICTIM, password)).status

  it('keeps working where only the link that confirms the address was opened', async () => {
    await open(await signUp(OWN, 'Ruth'))
    expect(await signInStatus(OWN)).toBe(200)
  })

  it.each(['instead of', 'after'])('ends when a recovery link is opened %s that one', async (order) => {
    const confirmation = await signUp(ATTACKERS, 'Mallory')
    if (order === 'after') await open(confirmation)
    const link = await recover()
    await fetch(`${server.url}${link.pathname}${link.search}`, { method: 'HEAD' })
    await fetch(`${server.url}${link.pathname}${link.search}`, { headers: { 'sec-purpose': 'prefetch' } })
    expect(await storedHash(), 'a prefetch changes nothing').not.toBe('')
    const token = await openForToken(link)
    expect(await signInStatus(ATTACKERS)).toBe(400)
    expect((await setPassword(token, OWN)).status).toBe(200)
    expect([await signInStatus(ATTACKERS), await signInStatus(OWN)]).toEqual([400, 200])
  })

  it('and replaced since by someone who signed in with it, ends too; that session sets no other one', async () => {
    await open(await signUp('first of the attacker', 'Mallory'))
    const attacker = sessionOf(await signIn(server, VICTIM, 'first of the attacker')).access_token
    expect((await setPassword(attacker, ATTACKERS)).status).toBe(200)

    const token = await openForToken(await recover())
    expect(await signInStatus(ATTACKERS)).toBe(400)
    expect((await setPassword(attacker, ATTACKERS)).body).toMatchObject({ code: 'reauthentication_needed' })
    expect((await setPassword(token, OWN)).status).toBe(200)
    expect((await call(server, 'GET', '/user', { token: attacker })).status).toBe(403)
    expect(await signInStatus(OWN)).toBe(200)
  })

  it('and replaced through a link, keeps working when another link is opened and not used', async () => {
    const token = await openForToken(await signUp(OWN, 'Ruth'))
    expect((await setPassword(token, NEW)).status).toBe(200)
    await open(await recover())
    expect(await signInStatus(NEW)).toBe(200)
  })
})

it('signing up again with the same password keeps it, and any of the links confirms the address', async () => {
  const link = await signUp(OWN, 'Ruth')
  await signUp(OWN, 'Ruth B.')
  const location = await open(link)
  expect(location.pathname).toBe('/')
  expect(new URLSearchParams(location.hash.slice(1)).get('type')).toBe('signup')
  const { user } = sessionOf(await signIn(server, VICTIM, OWN))
  expect(user).toMatchObject({ user_metadata: { full_name: 'Ruth B.' } })
})
