import { beforeEach, describe, expect, it } from 'vitest'
import { FREE_FAILURES } from '#server/auth/password-attempts.ts'
import { hashPassword } from '#server/auth/passwords.ts'
import {
  call,
  claimsOf,
  createDevice,
  newUser,
  PASSWORD,
  refresh,
  sessionOf,
  signIn,
} from '#tests/contract/auth/auth-client.ts'
import type { WireSession } from '#tests/contract/auth/auth-client.ts'
import { waitForLocks } from '#tests/support/database.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'

const NEW = 'a new password'
const MINUTE = 60

let victim: WireSession

const mailbox = useMailbox()
const server = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))

beforeEach(async () => {
  victim = await newUser(server)
})

async function changePassword(token: string, given: object = {}) {
  return call(server, 'PUT', '/user', { token, body: { password: NEW, ...given } })
}

/** The session that the newest emailed link leads to. */
async function sessionOfLink(): Promise<URLSearchParams> {
  const link = linkIn((await mailbox.emails()).at(-1) ?? '')
  const response = await fetch(`${server.url}${link.pathname}${link.search}`, { redirect: 'manual' })
  return new URLSearchParams(new URL(response.headers.get('location') ?? '').hash.slice(1))
}

const NEEDED = {
  code: 'reauthentication_needed',
  message: 'Password update requires reauthentication',
}

describe('a stolen access token', () => {
  it('sets no new password more than ten minutes after the sign-in', async () => {
    server.clock.advance(10 * MINUTE + 1)
    const { status, body } = await changePassword(victim.access_token)
    expect([status, body]).toEqual([400, NEEDED])
    expect((await signIn(server, victim.user.email)).status).toBe(200)
  })

  it('sets none after it was refreshed either', async () => {
    server.clock.advance(10 * MINUTE + 1)
    const renewed = sessionOf(await refresh(server, victim.refresh_token))
    expect((await changePassword(renewed.access_token)).body).toEqual(NEEDED)
  })

  it('sets none with a wrong current password, and may guess it only as often as at sign-in', async () => {
    server.clock.advance(10 * MINUTE + 1)
    const wrong = await changePassword(victim.access_token, { current_password: 'a guess' })
    expect([wrong.status, wrong.body]).toMatchObject([400, { code: 'current_password_invalid' }])
    server.services.config.rateLimitFactor = 1
    await server.database.pool.query('delete from intercede.known_networks')
    const statuses: number[] = []
    for (let guess = 0; guess < 15; guess += 1) {
      statuses.push((await changePassword(victim.access_token, { current_password: 'a guess' })).status)
    }
    server.services.config.rateLimitFactor = 1000
    expect(statuses.filter((status) => status === 429)).toHaveLength(15 - FREE_FAILURES)
  })

  it('changes the email address no more easily', async () => {
    server.clock.advance(10 * MINUTE + 1)
    const emails = (await mailbox.emails()).length
    const change = async (given: object) =>
      call(server, 'PUT', '/user', {
        token: victim.access_token,
        body: { email: 'thief@example.org', ...given },
      })
    const without = await change({})
    expect([without.status, without.body]).toEqual([
      400,
      { code: 'reauthentication_needed', message: 'Email update requires reauthentication' },
    ])
    const wrong = await change({ current_password: 'a guess' })
    expect([wrong.status, wrong.body]).toEqual([
      400,
      {
        code: 'current_password_invalid',
        message: 'Current password required when changing the email address.',
      },
    ])
    expect((await call(server, 'GET', '/user', { token: victim.access_token })).body).toEqual(victim.user)
    expect((await mailbox.emails()).length).toBe(emails)
    expect((await change({ current_password: PASSWORD })).status).toBe(200)
  })

  it('still changes what does not give access', async () => {
    server.clock.advance(10 * MINUTE + 1)
    const body = { data: { full_name: 'Ruth' } }
    expect((await call(server, 'PUT', '/user', { token: victim.access_token, body })).status).toBe(200)
  })
})

it('a change of the password that is on its way does not undo the one that the owner makes meanwhile', async () => {
  const { pool } = server.database
  const owner = await pool.connect()
  try {
    await owner.query('begin')
    const text = `update auth.users set encrypted_password = $1 where id = $2`
    await owner.query(text, [await hashPassword('the new one of the owner'), victim.user.id])
    const thief = changePassword(victim.access_token, { current_password: PASSWORD })
    await waitForLocks(pool, 1)
    await owner.query('commit')
    const { status, body } = await thief
    expect([status, body]).toEqual([400, NEEDED])
  } finally {
    owner.release()
  }
  expect((await signIn(server, victim.user.email, NEW)).status).toBe(400)
  expect((await signIn(server, victim.user.email, 'the new one of the owner')).status).toBe(200)
})

describe('the owner sets a new password', () => {
  it('with the current one through auth-js', async () => {
    const device = createDevice(server)
    await device.signInWithPassword({ email: victim.user.email, password: PASSWORD })
    server.clock.advance(11 * MINUTE)
    expect((await device.updateUser({ password: NEW })).error).toMatchObject({
      code: 'reauthentication_needed',
    })
    const { error } = await device.updateUser({ password: NEW, current_password: PASSWORD })
    expect(error).toBeNull()
  })

  it('within ten minutes of signing in', async () => {
    server.clock.advance(10 * MINUTE)
    expect((await changePassword(victim.access_token)).status).toBe(200)
  })

  it('after opening a recovery link, however long it takes, and once', async () => {
    await call(server, 'POST', '/recover', { body: { email: victim.user.email } })
    const fragment = await sessionOfLink()
    expect(claimsOf(fragment.get('access_token') ?? '')).toMatchObject({ amr: [{ method: 'recovery' }] })
    server.clock.advance(50 * MINUTE)
    const renewed = sessionOf(await refresh(server, fragment.get('refresh_token') ?? ''))
    expect(claimsOf(renewed.access_token)).toMatchObject({ amr: [{ method: 'recovery' }] })
    expect((await changePassword(renewed.access_token)).status).toBe(200)
    const again = await call(server, 'PUT', '/user', {
      token: renewed.access_token,
      body: { password: 'yet another' },
    })
    expect(again.body).toEqual(NEEDED)
  })
})

it('a link that confirms an address is a sign-in, and no permission to set a password later', async () => {
  server.services.config.confirmEmail = true
  await call(server, 'POST', '/signup', { body: { email: 'fresh@example.org', password: PASSWORD } })
  server.services.config.confirmEmail = false
  const token = (await sessionOfLink()).get('access_token') ?? ''
  expect(claimsOf(token)).toMatchObject({ amr: [{ method: 'otp' }] })
  server.clock.advance(10 * MINUTE + 1)
  expect((await changePassword(token)).body).toEqual(NEEDED)
})
