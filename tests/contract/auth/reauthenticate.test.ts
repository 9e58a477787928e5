// GET /reauthenticate and the code it emails, which PUT /user accepts as `nonce`. supabase/auth internal/api/reauthenticate.go.
import { beforeEach, describe, expect, it } from 'vitest'
import { FREE_FAILURES } from '#server/auth/password-attempts.ts'
import { textOf } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import {
  call,
  createDevice,
  newUser,
  PASSWORD,
  refresh,
  sessionOf,
  signIn,
  type WireSession,
  endWaits,
  lengthenWaits,
} from './auth-client.ts'

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))

const INVALID = { code: 'reauthentication_not_valid', message: 'Nonce has expired or is invalid' }

let ruth: WireSession

beforeEach(async () => {
  ruth = await newUser(server)
  // Longer ago than a sign-in proves anything.
  server.clock.advance(20 * 60)
})

/** The code in the newest email. */
async function newestCode(): Promise<string> {
  const [code = ''] =
    /^\d{6}$/m.exec(textOf((await mailbox.emails()).at(-1) ?? '').replaceAll('\r', '')) ?? []
  return code
}

async function requestCode(): Promise<string> {
  const { status, body } = await call(server, 'GET', '/reauthenticate', { token: ruth.access_token })
  expect([status, body]).toEqual([200, {}])
  return newestCode()
}

async function update(given: object) {
  return call(server, 'PUT', '/user', { token: ruth.access_token, body: given })
}

/** Any code but the right one. */
function wrong(code: string): string {
  return code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))
}

it('emails a code to the present address, without a link', async () => {
  await requestCode()
  const email = (await mailbox.emails()).at(-1) ?? ''
  expect(email).toMatch(new RegExp(`^To: ${ruth.user.email}\\r$`, 'm'))
  expect(email).toMatch(/^Subject: Your code for Intercede\r$/m)
  expect(textOf(email)).not.toContain('http')
  expect((await call(server, 'GET', '/user', { token: ruth.access_token })).body).toMatchObject({
    reauthentication_sent_at: server.clock.now().toISOString().replace('.000Z', 'Z'),
  })
})

describe('the code', () => {
  it('allows a new password, once', async () => {
    const nonce = await requestCode()
    expect((await update({ password: 'a new horse', nonce })).status).toBe(200)
    const again = await update({ password: 'yet another', nonce })
    expect([again.status, again.body]).toEqual([422, INVALID])
    expect((await signIn(server, ruth.user.email, 'a new horse')).status).toBe(200)
  })

  it('allows a new address, once', async () => {
    const nonce = await requestCode()
    expect((await update({ email: 'moved@example.org', nonce })).status).toBe(200)
    expect((await update({ email: 'again@example.org', nonce })).body).toEqual(INVALID)
  })

  it('still works after a password that was rejected', async () => {
    const nonce = await requestCode()
    expect((await update({ password: PASSWORD, nonce })).body).toMatchObject({ code: 'same_password' })
    expect((await update({ password: 'a new horse', nonce })).status).toBe(200)
  })

  it('works for an hour', async () => {
    const nonce = await requestCode()
    server.clock.advance(3600)
    ruth = sessionOf(await refresh(server, ruth.refresh_token))
    expect((await update({ password: 'a new horse', nonce })).body).toEqual(INVALID)
  })

  it('is replaced by a newer one', async () => {
    await requestCode()
    server.clock.advance(60)
    const nonce = await requestCode()
    const { rowCount } = await server.database.pool.query(
      'select from auth.one_time_tokens where user_id = $1',
      [ruth.user.id],
    )
    expect(rowCount).toBe(1)
    expect((await update({ password: 'a new horse', nonce })).status).toBe(200)
  })

  it('of somebody else proves nothing', async () => {
    const nonce = await requestCode()
    ruth = await newUser(server)
    expect((await update({ password: 'a new horse', nonce })).body).toEqual(INVALID)
  })

  it('is not void after a wrong one, but only as many are checked as wrong passwords', async () => {
    const nonce = await requestCode()
    await lengthenWaits(server)
    server.services.config.rateLimitFactor = 1
    await server.database.pool.query('truncate intercede.rate_limits')
    const statuses: number[] = []
    for (let guess = 0; guess < FREE_FAILURES + 2; guess += 1) {
      statuses.push((await update({ password: 'a new horse', nonce: wrong(nonce) })).status)
    }
    server.services.config.rateLimitFactor = 1000
    await server.database.pool.query('truncate intercede.rate_limits')
    expect(statuses).toEqual([...Array.from({ length: FREE_FAILURES }, () => 422), 429, 429])
    expect((await update({ password: 'a new horse', nonce })).status).toBe(429)
    await endWaits(server)
    expect((await update({ password: 'a new horse', nonce })).status).toBe(200)
  })
})

it('is rejected for an address that was never confirmed', async () => {
  await server.database.pool.query('update auth.users set email_confirmed_at = null where id = $1', [
    ruth.user.id,
  ])
  const { status, body } = await call(server, 'GET', '/reauthenticate', { token: ruth.access_token })
  expect([status, body]).toEqual([
    422,
    { code: 'email_not_confirmed', message: 'Please verify your email first.' },
  ])
})

it('lets a user without a password set one through auth-js', async () => {
  const device = createDevice(server)
  const { data } = await device.signInWithPassword({ email: ruth.user.email, password: PASSWORD })
  await server.database.pool.query(`update auth.users set encrypted_password = '' where id = $1`, [
    data.user?.id,
  ])
  server.clock.advance(20 * 60)
  expect((await device.updateUser({ password: 'a new horse' })).error).toMatchObject({
    code: 'reauthentication_needed',
  })
  expect((await device.reauthenticate()).error).toBeNull()
  const { error } = await device.updateUser({ password: 'a new horse', nonce: await newestCode() })
  expect(error).toBeNull()
  expect((await signIn(server, ruth.user.email, 'a new horse')).status).toBe(200)
})
