// PUT /user with a new email address, and the links it emails. supabase/auth internal/api/user.go, mail.go sendEmailChange,
// verify.go emailChangeVerify.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { waitForLocks } from '#tests/support/database.ts'
import { linkIn, textOf } from '#tests/support/mailbox.ts'
import { useShared, useTestServer } from '#tests/support/shared-server.ts'
import { startSmtpServer, type ReceivedEmail } from '#tests/support/smtp-server.ts'
import {
  call,
  claimsOf,
  createDevice,
  newUser,
  PASSWORD,
  refresh,
  sessionOf,
  signIn,
  type ApiResponse,
  type WireSession,
} from './auth-client.ts'

const smtp = useShared(startSmtpServer)
afterAll(() => smtp().close())
const server = useTestServer(() => ({ config: { smtpUrl: smtp().url, confirmEmail: true } }))

const TARGET = 'http://localhost:3000/settings'
const QUERY = `?redirect_to=${encodeURIComponent(TARGET)}`
const ACCEPTED = `${TARGET}#message=Confirmation+link+accepted.+Please+proceed+to+confirm+link+sent+to+the+other+email&sb=`
const EXPIRED = `${TARGET}#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=`
const IN_USE = `${TARGET}#error_code=email_exists&error_description=A+user+with+this+email+address+has+already+been+registered&sb=`

let ruth: WireSession
let addresses = 0

beforeEach(async () => {
  server.services.config.secureEmailChange = true
  ruth = await newUser(server)
  smtp().emails = []
})

function newAddress(): string {
  addresses += 1
  return `moved${String(addresses)}@example.org`
}

async function change(email: string, given: object = {}, token = ruth.access_token): Promise<ApiResponse> {
  return call(server, 'PUT', `/user${QUERY}`, { token, body: { email, ...given } })
}

async function userOf(token = ruth.access_token): Promise<unknown> {
  return (await call(server, 'GET', '/user', { token })).body
}

/** The emails to an address, oldest first. */
function emailsTo(address: string): ReceivedEmail[] {
  return smtp().emails.filter(({ to }) => to.includes(address))
}

/** The newest link that was emailed to an address. */
function linkTo(address: string): URL {
  return linkIn(emailsTo(address).at(-1)?.source ?? '')
}

async function open(link: URL): Promise<string> {
  const response = await fetch(`${server.url}${link.pathname}${link.search}`, { redirect: 'manual' })
  expect(response.status).toBe(303)
  await server.services.background.settled()
  return response.headers.get('location') ?? ''
}

/** Runs something with the rate limits that servers have by default. */
async function withRateLimits<Value>(run: () => Promise<Value>): Promise<Value> {
  const { config } = server.services
  const { rateLimitFactor } = config
  const forget = 'truncate intercede.rate_limits'
  await server.database.pool.query(forget)
  config.rateLimitFactor = 1
  try {
    return await run()
  } finally {
    config.rateLimitFactor = rateLimitFactor
    await server.database.pool.query(forget)
  }
}

describe('asking for another address', () => {
  it('shows it as pending, changes nothing, and emails a link to each address', async () => {
    const email = newAddress()
    const { status, body } = await change(email.toUpperCase())
    const { user } = ruth
    expect(status).toBe(200)
    const time = server.clock.now().toISOString().replace('.000Z', 'Z')
    expect(body).toEqual({ ...user, new_email: email, email_change_sent_at: time, updated_at: time })
    const recipients = smtp().emails.flatMap(({ to }) => to)
    expect(recipients.toSorted()).toEqual([email, user.email].toSorted())
    for (const address of [email, user.email]) {
      const link = linkTo(address)
      expect([link.origin, link.pathname]).toEqual(['http://localhost:3000', '/auth/v1/verify'])
      expect(link.searchParams.get('token')).toMatch(/^[0-9a-f]{56}$/)
      expect(link.searchParams.get('type')).toBe('email_change')
      expect(link.searchParams.get('redirect_to')).toBe(TARGET)
    }
    expect(textOf(emailsTo(user.email)[0]?.source ?? '')).toContain(email)
    expect((await signIn(server, email)).status).toBe(400)
    expect((await signIn(server, user.email)).status).toBe(200)
  })

  it.each([
    ['nothing', 'Unable to validate email address: invalid format'],
    [`${'x'.repeat(250)}@example.org`, 'An email address is too long'],
  ])('rejects the invalid address %s', async (email, message) => {
    const { status, body } = await change(email)
    expect([status, body]).toEqual([400, { code: 'validation_failed', message }])
    expect(await userOf()).toEqual(ruth.user)
  })

  it('again replaces the pending one, whose links stop working', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await change(first)
    const [toFirst, toPresent] = [linkTo(first), linkTo(ruth.user.email)]
    expect((await change(second)).body).toMatchObject({ new_email: second })
    expect(await open(toFirst)).toBe(EXPIRED)
    expect(await open(toPresent)).toBe(EXPIRED)
    expect(await open(linkTo(ruth.user.email))).toBe(ACCEPTED)
    expect(await open(linkTo(second))).toContain('access_token=')
    expect(await userOf()).toMatchObject({ email: second })
  })

  it('from two tabs at once leaves one change with one pair of links', async () => {
    const emails = [newAddress(), newAddress()]
    const responses = await Promise.all(emails.map(async (email) => change(email)))
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await server.database.pool.query(
      `select u.email_change as pending, array_agg(t.relates_to order by t.token_type) as addresses
       from auth.users u join auth.one_time_tokens t on t.user_id = u.id where u.id = $1 group by u.id`,
      [ruth.user.id],
    )
    expect(rows).toEqual([{ pending: expect.any(String), addresses: [expect.any(String), ruth.user.email] }])
    expect(rows[0].addresses[0]).toBe(rows[0].pending)
  })

  it('for the present one changes nothing', async () => {
    const { status, body } = await change(ruth.user.email.toUpperCase())
    expect([status, body]).toEqual([200, { ...ruth.user, updated_at: expect.any(String) }])
    expect(smtp().emails).toEqual([])
  })

  it('leaves nothing pending if an email could not be sent, and can be repeated at once', async () => {
    const [first, second] = [newAddress(), newAddress()]
    await change(first)
    smtp().behaviour = 'reject'
    const { status, body } = await change(second)
    smtp().behaviour = 'accept'
    expect([status, body]).toEqual([
      500,
      { code: 'unexpected_failure', message: 'Error sending email change email' },
    ])
    expect(await userOf()).not.toHaveProperty('new_email')
    expect(await open(linkTo(first))).toBe(EXPIRED)
    await withRateLimits(async () => {
      smtp().behaviour = 'reject'
      expect((await change(second)).status).toBe(500)
      smtp().behaviour = 'accept'
      expect((await change(second)).body).toMatchObject({ new_email: second })
    })
  })

  it('is limited to once a minute for an account', async () => {
    const [first, second] = await withRateLimits(async () => [
      await change(newAddress()),
      await change(newAddress()),
    ])
    expect(first.status).toBe(200)
    expect([second.status, second.body]).toEqual([
      429,
      {
        code: 'over_email_send_rate_limit',
        message: 'For security purposes, you can only request this after 60 seconds.',
      },
    ])
    expect(await userOf()).toEqual(first.body)
    expect(smtp().emails).toHaveLength(2)
  })
})

describe('opening the links', () => {
  it.each([
    ['the new address first', true],
    ['the present address first', false],
  ])('changes the address with the second one, %s', async (_order, isNewFirst) => {
    const { email: former } = ruth.user
    const email = newAddress()
    await change(email)
    const links = [linkTo(email), linkTo(former)]
    const [first, second] = isNewFirst ? links : links.toReversed()
    if (first === undefined || second === undefined) throw new Error('a link is missing')
    expect(await open(first)).toBe(ACCEPTED)
    expect(await userOf()).toMatchObject({ email: former, new_email: email })
    expect(await open(first)).toBe(EXPIRED)
    expect(await userOf()).toMatchObject({ email: former, new_email: email })
    const location = await open(second)
    expect(location.startsWith(`${TARGET}#access_token=`)).toBe(true)
    const fragment = new URLSearchParams(location.split('#')[1])
    expect(fragment.get('type')).toBe('email_change')
    expect(claimsOf(fragment.get('access_token') ?? '')).toMatchObject({ sub: ruth.user.id, email })
    expect(await open(second)).toBe(EXPIRED)
    const user = await userOf()
    expect(user).toMatchObject({
      email,
      user_metadata: { email, email_verified: true },
      app_metadata: { providers: ['email'] },
      identities: [{ email, identity_data: { email, email_verified: true, sub: ruth.user.id } }],
    })
    expect(user).not.toHaveProperty('new_email')
    expect(user).not.toHaveProperty('email_change_sent_at')
    expect((await signIn(server, former)).status).toBe(400)
    expect((await signIn(server, email)).status).toBe(200)
  })

  it('keeps the sessions of all devices, whose next token has the new address', async () => {
    const email = newAddress()
    await change(email)
    await open(linkTo(email))
    await open(linkTo(ruth.user.email))
    const renewed = sessionOf(await refresh(server, ruth.refresh_token))
    expect(renewed.user).toMatchObject({ email })
    expect(claimsOf(renewed.access_token)).toMatchObject({ email })
  })

  it('changes it with both opened at the same moment', async () => {
    const email = newAddress()
    await change(email)
    const locations = await Promise.all([open(linkTo(email)), open(linkTo(ruth.user.email))])
    expect(locations.filter((location) => location === ACCEPTED)).toHaveLength(1)
    expect(locations.filter((location) => location.includes('access_token='))).toHaveLength(1)
    expect(await userOf()).toMatchObject({ email })
  })

  it('works for an hour', async () => {
    const email = newAddress()
    await change(email)
    expect(await open(linkTo(email))).toBe(ACCEPTED)
    server.clock.advance(3600)
    expect(await open(linkTo(ruth.user.email))).toBe(EXPIRED)
    const renewed = sessionOf(await refresh(server, ruth.refresh_token))
    expect(renewed.user.email).toBe(ruth.user.email)
  })

  it('needs the new address only, where that is configured', async () => {
    server.services.config.secureEmailChange = false
    const email = newAddress()
    await change(email)
    expect(smtp().emails.map(({ to }) => to)).toEqual([[email]])
    expect(await open(linkTo(email))).toContain('access_token=')
    expect(await userOf()).toMatchObject({ email })
  })

  it('still needs both if that was configured when the change was requested', async () => {
    const email = newAddress()
    await change(email)
    server.services.config.secureEmailChange = false
    expect(await open(linkTo(ruth.user.email))).toBe(ACCEPTED)
    expect(await userOf()).toMatchObject({ email: ruth.user.email })
  })

  it('fails, and changes nothing, if someone else has the address by then', async () => {
    const email = newAddress()
    await change(email)
    expect(await open(linkTo(email))).toBe(ACCEPTED)
    const before = await userOf()
    await newUser(server, email)
    expect(await open(linkTo(ruth.user.email))).toBe(IN_USE)
    expect(await userOf()).toEqual(before)
  })

  it('completes only the first of two changes to the same address', async () => {
    const email = newAddress()
    const naomi = await newUser(server)
    await change(email)
    await change(email, {}, naomi.access_token)
    const [, ofNaomi] = emailsTo(email)
    const [ofRuth] = emailsTo(email)
    for (const link of [linkIn(ofRuth?.source ?? ''), linkTo(ruth.user.email)]) await open(link)
    expect(await userOf()).toMatchObject({ email })
    expect(await open(linkIn(ofNaomi?.source ?? ''))).toBe(ACCEPTED)
    expect(await open(linkTo(naomi.user.email))).toBe(IN_USE)
    expect(await userOf(naomi.access_token)).toMatchObject({ email: naomi.user.email, new_email: email })
  })

  it('voids a link for a new password that was emailed to the former address', async () => {
    await call(server, 'POST', `/recover${QUERY}`, { body: { email: ruth.user.email } })
    const recovery = linkTo(ruth.user.email)
    const email = newAddress()
    await change(email)
    await open(linkTo(email))
    await open(linkTo(ruth.user.email))
    expect(await open(recovery)).toBe(EXPIRED)
  })

  it('adds an email identity to an account that has signed in with X only', async () => {
    const { id } = ruth.user
    const { pool } = server.database
    await pool.query(
      `update auth.identities set provider = 'twitter', provider_id = '17' where user_id = $1`,
      [id],
    )
    await pool.query(
      `update auth.users set raw_app_meta_data = '{"provider":"twitter","providers":["twitter"]}' where id = $1`,
      [id],
    )
    // Identities are listed by their age.
    server.clock.advance(1)
    const email = newAddress()
    await change(email)
    await open(linkTo(email))
    await open(linkTo(ruth.user.email))
    expect(await userOf()).toMatchObject({
      email,
      app_metadata: { provider: 'twitter', providers: ['twitter', 'email'] },
      identities: [{ provider: 'twitter' }, { provider: 'email', id, identity_data: { email } }],
    })
  })
})

describe('a pending change is cancelled', () => {
  it.each([
    ['by asking for the present address', async () => change(ruth.user.email)],
    [
      'by a new password',
      async () =>
        call(server, 'PUT', '/user', { token: ruth.access_token, body: { password: 'a new horse' } }),
    ],
    [
      'by opening a link for a new password',
      async () => {
        await call(server, 'POST', '/recover', { body: { email: ruth.user.email } })
        return open(linkTo(ruth.user.email))
      },
    ],
  ])('%s', async (_name, cancel) => {
    const email = newAddress()
    await change(email)
    const links = [linkTo(email), linkTo(ruth.user.email)]
    await cancel()
    const user = await userOf()
    expect(user).toMatchObject({ email: ruth.user.email })
    expect(user).not.toHaveProperty('new_email')
    expect(user).not.toHaveProperty('email_change_sent_at')
    for (const link of links) expect(await open(link)).toBe(EXPIRED)
  })

  it('without any proof, at any time after signing in', async () => {
    await change(newAddress())
    server.clock.advance(20 * 60)
    expect((await change(ruth.user.email)).body).not.toHaveProperty('new_email')
  })
})

describe('an address that has an account', () => {
  it('seems to be accepted; its owner is told, and it stays theirs', async () => {
    const naomi = await newUser(server)
    const { email } = naomi.user
    const free = await change(newAddress())
    smtp().emails = []
    const taken = await change(email)
    expect(taken.status).toBe(free.status)
    expect(taken.body).toEqual({ ...Object(free.body), new_email: email })
    const [notice, ...others] = emailsTo(email)
    expect(others).toEqual([])
    expect(notice?.source).toMatch(/^Subject: This address already has an account for Intercede\r$/m)
    expect(notice?.source).not.toContain('/verify')
    expect(notice?.source).not.toContain(ruth.user.email)
    expect(await open(linkTo(ruth.user.email))).toBe(ACCEPTED)
    expect(await userOf()).toMatchObject({ email: ruth.user.email, new_email: email })
    expect(await userOf(naomi.access_token)).toEqual(naomi.user)
  })

  it('that was never confirmed counts as one', async () => {
    const email = newAddress()
    await call(server, 'POST', '/signup', { body: { email, password: PASSWORD } })
    expect((await change(email)).status).toBe(200)
    expect(emailsTo(email).at(-1)?.source).toMatch(/^Subject: This address already has an account/m)
  })
})

describe('the former address is told, and the new one of what follows', () => {
  it.each([
    ['after both have agreed', true],
    ['where the new one alone had to', false],
  ])('%s', async (_name, isSecure) => {
    server.services.config.secureEmailChange = isSecure
    const { email: former } = ruth.user
    const email = newAddress()
    await change(email)
    await open(linkTo(email))
    if (isSecure) await open(linkTo(former))
    const notice = emailsTo(former).at(-1)?.source ?? ''
    expect(notice).toMatch(/^Subject: Your address for Intercede was changed\r$/m)
    expect(textOf(notice)).toContain('http://localhost:3000/settings')
    expect(notice).not.toContain(email)
    expect(emailsTo(email)).toHaveLength(1)
    const body = { password: 'a louder hour', current_password: PASSWORD }
    await call(server, 'PUT', '/user', { token: ruth.access_token, body })
    await server.services.background.settled()
    expect(emailsTo(email).at(-1)?.source).toMatch(/^Subject: Your password for Intercede was changed\r$/m)
    expect((await signIn(server, email, 'a louder hour')).status).toBe(200)
  })

  it('in vain if the mail server rejects it, which undoes nothing', async () => {
    server.services.config.secureEmailChange = false
    const email = newAddress()
    await change(email)
    smtp().behaviour = 'reject'
    await open(linkTo(email))
    smtp().behaviour = 'accept'
    expect(await userOf()).toMatchObject({ email })
  })
})

describe('through auth-js', () => {
  async function signedInDevice() {
    const device = createDevice(server)
    await device.signInWithPassword({ email: ruth.user.email, password: PASSWORD })
    return device
  }

  it('asks for the change, confirms it by both links and cancels one', async () => {
    const device = await signedInDevice()
    const email = newAddress()
    const options = { emailRedirectTo: TARGET }
    const asked = await device.updateUser({ email, current_password: PASSWORD }, options)
    expect(asked.error).toBeNull()
    expect(asked.data.user).toMatchObject({ email: ruth.user.email, new_email: email })
    const tokenFor = (address: string) => linkTo(address).searchParams.get('token') ?? ''
    const verify = async (address: string) =>
      createDevice(server).verifyOtp({ type: 'email_change', token_hash: tokenFor(address) })
    const first = await verify(email)
    expect(first).toEqual({ data: { user: null, session: null }, error: null })
    const second = await verify(ruth.user.email)
    expect(second.error).toBeNull()
    expect(second.data.user).toMatchObject({ id: ruth.user.id, email })
    expect(second.data.session?.access_token).toBeDefined()
    expect((await device.refreshSession()).data.user).toMatchObject({ email })
    await device.updateUser({ email: newAddress() })
    const cancelled = await device.updateUser({ email })
    expect(cancelled.error).toBeNull()
    expect(cancelled.data.user?.new_email).toBeUndefined()
  })
})

it('a change that is on its way ends when the owner sets a new password meanwhile', async () => {
  const { pool } = server.database
  const owner = await pool.connect()
  try {
    await owner.query('begin')
    await owner.query(`update auth.users set encrypted_password = 'another' where id = $1`, [ruth.user.id])
    const thief = change(newAddress(), { current_password: PASSWORD })
    await waitForLocks(pool, 1)
    await owner.query('commit')
    const { status, body } = await thief
    expect([status, body]).toEqual([
      400,
      { code: 'reauthentication_needed', message: 'Email update requires reauthentication' },
    ])
  } finally {
    owner.release()
  }
  expect(await userOf()).not.toHaveProperty('new_email')
  expect(smtp().emails).toEqual([])
})
