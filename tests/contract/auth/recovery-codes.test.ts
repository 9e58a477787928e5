// Recovery codes, which the real service lacks.
import { describe, expect, it } from 'vitest'
import { send } from '#tests/support/data-requests.ts'
import { textOf } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import {
  call,
  claimsOf,
  newUser,
  PASSWORD,
  refresh,
  sessionOf,
  signIn,
  type WireSession,
} from './auth-client.ts'
import { addApp, giveRecoveryCode, newRecoveryCodes } from './two-factor-client.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))

const PATH = '/factors/recovery-codes'
const MINUTE = 60

/** A user with two-factor sign-in and ten codes, and a further session in which no code was given. */
async function userWithCodes() {
  const { session, factorId } = await addApp(server, await newUser(server))
  const codes = await newRecoveryCodes(server, session.access_token)
  const [first = ''] = codes
  return { session, factorId, codes, first, waiting: await signedIn(session) }
}

async function signedIn({ user }: WireSession): Promise<WireSession> {
  return sessionOf(await signIn(server, user.email))
}

async function unused({ access_token: token }: WireSession): Promise<unknown> {
  return (await call(server, 'GET', PATH, { token })).body
}

describe('recovery codes', () => {
  it('are ten, of 80 random bits each, and stored as hashes', async () => {
    const { codes, session } = await userWithCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3}$/)
    const { rows } = await server.database.pool.query<{ hash: Buffer }>(
      'select code_hash as hash from intercede.recovery_codes where user_id = $1',
      [session.user.id],
    )
    expect(rows.map(({ hash }) => hash.length)).toEqual(Array.from({ length: 10 }, () => 32))
    expect(await unused(session)).toEqual({ unused: 10 })
  })

  it('raise a session as the code of an app does', async () => {
    const { waiting, first } = await userWithCodes()
    const raised = sessionOf(await giveRecoveryCode(server, waiting.access_token, first))
    const renewed = sessionOf(await refresh(server, raised.refresh_token))
    for (const { access_token: token } of [raised, renewed]) {
      expect(claimsOf(token)).toMatchObject({
        aal: 'aal2',
        amr: expect.arrayContaining([expect.objectContaining({ method: 'recovery_code' })]),
      })
      expect((await send(server, '/categories', { token })).status).toBe(200)
    }
    expect((await refresh(server, waiting.refresh_token)).status).toBe(400)
  })

  it('work once, also when several requests arrive at once', async () => {
    const { session, waiting, first } = await userWithCodes()
    const responses = await Promise.all(
      Array.from({ length: 4 }, async () => giveRecoveryCode(server, waiting.access_token, first)),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const { access_token: token } = await signedIn(session)
    const again = await giveRecoveryCode(server, token, first)
    expect([again.status, again.body]).toEqual([
      422,
      { code: 'mfa_verification_failed', message: 'Invalid recovery code entered' },
    ])
    expect(await unused(session)).toEqual({ unused: 9 })
  })

  it('may be typed in capital letters, without hyphens, and with letters that look like digits', async () => {
    const { waiting, session, codes } = await userWithCodes()
    const code = codes.find((one) => /[01]/.test(one)) ?? codes[0] ?? ''
    const typed = ` ${code.replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l').toUpperCase()}`
    expect((await giveRecoveryCode(server, waiting.access_token, typed)).status).toBe(200)
    const { access_token: token } = await signedIn(session)
    expect((await giveRecoveryCode(server, token, '')).body).toMatchObject({ code: 'validation_failed' })
  })

  it('are those of the account only', async () => {
    const { first } = await userWithCodes()
    const { waiting } = await userWithCodes()
    expect((await giveRecoveryCode(server, waiting.access_token, first)).status).toBe(422)
  })

  it('are replaced by new ones', async () => {
    const { session, waiting, first } = await userWithCodes()
    const [fresh = ''] = await newRecoveryCodes(server, session.access_token)
    expect((await giveRecoveryCode(server, waiting.access_token, first)).status).toBe(422)
    expect((await giveRecoveryCode(server, waiting.access_token, fresh)).status).toBe(200)
    expect(await unused(session)).toEqual({ unused: 9 })
  })

  it('are ten also if they are requested twice at once', async () => {
    const { session } = await userWithCodes()
    const { access_token: token } = session
    await Promise.all([newRecoveryCodes(server, token), newRecoveryCodes(server, token)])
    expect(await unused(session)).toEqual({ unused: 10 })
  })

  it('are made and counted in a session with a code only', async () => {
    const { waiting } = await userWithCodes()
    for (const method of ['GET', 'POST']) {
      const given = method === 'GET' ? {} : { body: { current_password: PASSWORD } }
      const response = await call(server, method, PATH, { token: waiting.access_token, ...given })
      expect([response.status, response.body]).toMatchObject([403, { code: 'insufficient_aal' }])
    }
  })

  it('take the proof that a new password takes', async () => {
    const { session } = await userWithCodes()
    const { access_token: token } = session
    server.clock.advance(10 * MINUTE + 1)
    const make = async (body: object) => (await call(server, 'POST', PATH, { token, body })).body
    expect(await make({})).toMatchObject({ code: 'reauthentication_needed' })
    expect(await make({ current_password: 'a guess' })).toMatchObject({ code: 'current_password_invalid' })
    expect(await make({ current_password: PASSWORD })).toHaveProperty('recovery_codes')
  })

  it('need two-factor sign-in, and end with it', async () => {
    const without = await newUser(server)
    const refused = await call(server, 'POST', PATH, { token: without.access_token, body: {} })
    expect([refused.status, refused.body]).toMatchObject([422, { code: 'mfa_factor_not_found' }])
    expect(await unused(without)).toEqual({ unused: 0 })
    const { session, factorId } = await userWithCodes()
    await call(server, 'DELETE', `/factors/${factorId}`, { token: session.access_token })
    expect(await unused(session)).toEqual({ unused: 0 })
  })

  it('are announced by email when they are used', async () => {
    const { session, codes } = await userWithCodes()
    for (const code of codes.slice(0, 9)) {
      const { access_token: token } = await signedIn(session)
      await giveRecoveryCode(server, token, code)
    }
    const before = (await mailbox.emails()).length
    const { access_token: token } = await signedIn(session)
    await giveRecoveryCode(server, token, codes[9] ?? '')
    const emails = (await mailbox.emails()).slice(before - 2).map(textOf)
    expect(emails).toEqual([
      expect.stringContaining('2 are left.'),
      expect.stringContaining('One is left.'),
      expect.stringContaining('It was the last one.'),
    ])
  })
})

it('a code is no sign-in: it sets no new password later, and adds no app', async () => {
  const { session, first } = await userWithCodes()
  server.clock.advance(10 * MINUTE + 1)
  const waiting = sessionOf(await refresh(server, session.refresh_token))
  const { access_token: token } = sessionOf(await giveRecoveryCode(server, waiting.access_token, first))
  for (const [method, path, body] of [
    ['PUT', '/user', { password: 'a new password' }],
    ['POST', '/factors', { factor_type: 'totp', friendly_name: 'Taken' }],
  ] as const) {
    const response = await call(server, method, path, { token, body })
    expect(response.body).toMatchObject({ code: 'reauthentication_needed' })
  }
})
