import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { call, newUser, PASSWORD, sessionOf, signIn } from '#tests/contract/auth/auth-client.ts'
import { linkIn } from '#tests/support/mailbox.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'

const OWNER = 'ruth@example.org'
const HOME = '198.51.100.7'
/** Where `newUser` has signed in. */
const KNOWN = '127.0.0.1'
const STRANGER = '203.0.113.7'
const MINUTE = 60

const mailbox = useMailbox()
const server = useTestServer(() => ({
  config: { dataDir: mailbox.dataDir, confirmEmail: true, rateLimitFactor: 1, trustProxy: true },
}))
const outbox = () => join(mailbox.dataDir, 'outbox')

beforeEach(async () => {
  await server.database.pool.query('truncate intercede.rate_limits')
  await server.database.pool.query('delete from auth.users')
  await newUser(server, OWNER)
  await rm(outbox(), { recursive: true, force: true })
})

async function signUp(email: string, from: string): Promise<number> {
  const headers = { 'x-forwarded-for': from }
  return (await call(server, 'POST', '/signup', { body: { email, password: PASSWORD }, headers })).status
}

async function recover(email: string, from: string): Promise<number> {
  const headers = { 'x-forwarded-for': from }
  return (await call(server, 'POST', '/recover', { body: { email }, headers })).status
}

/** Opens the link in an email, of which the last has the index -1; returns the fragment it leads to. */
async function open(index: number): Promise<string> {
  const { pathname, search } = linkIn((await mailbox.emails()).at(index) ?? '')
  const response = await fetch(`${server.url}${pathname}${search}`, { redirect: 'manual' })
  return new URL(response.headers.get('location') ?? '').hash
}

let addresses = 0
const newAddress = () => `${String((addresses += 1))}@example.org`

async function signUps(times: number, from: string): Promise<number[]> {
  const statuses: number[] = []
  for (let number = 0; number < times; number += 1) statuses.push(await signUp(newAddress(), from))
  return statuses
}

function count(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length
}

/** What is used up by now, except for the emails of the installation. */
const FORGET_OTHER_LIMITS = "delete from intercede.rate_limits where key <> 'mail'"

describe('the email quota of the installation', () => {
  it('is 30 an hour, and then responds alike for an address without an account', async () => {
    const { pool } = server.database
    for (let number = 0; number < 30; number += 1) {
      await pool.query(FORGET_OTHER_LIMITS)
      expect(await recover(OWNER, KNOWN)).toBe(200)
    }
    await pool.query(FORGET_OTHER_LIMITS)
    for (const email of [OWNER, newAddress()])
      expect(await call(server, 'POST', '/recover', { body: { email } })).toMatchObject({
        status: 429,
        body: { code: 'over_email_send_rate_limit', message: 'email rate limit exceeded' },
      })
  })

  it('is not exhausted by sign-ups from one address', async () => {
    const statuses = await signUps(13, STRANGER)
    expect([count(statuses, 200), count(statuses, 429)]).toEqual([10, 3])
    expect(await signUp(newAddress(), HOME)).toBe(200)
    expect(await recover(OWNER, HOME)).toBe(200)
    expect(await mailbox.emails()).toHaveLength(12)
  })

  it.each([
    ['IPv4', (client: number) => `203.0.113.${String(client)}`],
    ['IPv6', (client: number) => `2001:db8:7:${client.toString(16)}::1`],
  ])('is not exhausted by sign-ups from many addresses of one %s network', async (_kind, addressOf) => {
    const statuses: number[] = []
    for (let client = 1; client <= 13; client += 1) {
      statuses.push(await signUp(newAddress(), addressOf(client)))
    }
    expect(count(statuses, 200)).toBe(10)
  })

  it('has a share that only account recovery can use, however many networks sign up', async () => {
    const statuses: number[] = []
    for (let network = 1; network <= 3; network += 1) {
      statuses.push(...(await signUps(8, `10.${String(network)}.0.1`)))
    }
    expect(count(statuses, 200)).toBe(20)
    expect(await recover(OWNER, HOME)).toBe(200)
    expect(await open(-1)).toContain('access_token=')
  })

  it('is not used by emails that could not be sent', async () => {
    await writeFile(outbox(), 'not a folder')
    const failed = await signUps(12, STRANGER)
    await rm(outbox())
    expect(count(failed, 500)).toBe(12)
    expect(count(await signUps(11, STRANGER), 200)).toBe(10)
  })

  it('is not used by recovery for addresses without an account, which counts for the client as for any other', async () => {
    for (let network = 1; network <= 4; network += 1) {
      const statuses: number[] = []
      for (let request = 0; request < 11; request += 1) {
        statuses.push(await recover(newAddress(), `10.${String(network)}.0.1`))
      }
      expect([count(statuses, 200), count(statuses, 429)]).toEqual([10, 1])
    }
    expect(await recover(OWNER, HOME)).toBe(200)
  })
})

describe('a notice of a new password', () => {
  const PROVEN = `update auth.identities set identity_data = identity_data || '{"email_verified":true}'`

  async function changePassword(email: string, from: string): Promise<void> {
    const { access_token: token } = sessionOf(await signIn(server, email))
    await call(server, 'PUT', '/user', {
      token,
      body: { password: 'a new password' },
      headers: { 'x-forwarded-for': from },
    })
  }

  it('is sent though a thief has used up the emails of the network, if the address is proven', async () => {
    await server.database.pool.query(PROVEN)
    await signUps(13, STRANGER)
    const before = (await mailbox.emails()).length
    await changePassword(OWNER, STRANGER)
    const emails = await mailbox.emails()
    expect(emails).toHaveLength(before + 1)
    expect(emails.at(-1)).toContain(`To: ${OWNER}`)
  })

  it('counts as any other email to an address that nothing has proven, which may be a stranger\u2019s', async () => {
    await signUps(13, STRANGER)
    const before = await mailbox.emails()
    await changePassword(OWNER, STRANGER)
    expect(await mailbox.emails()).toEqual(before)
  })
})

describe('a stranger\u2019s requests for someone else\u2019s new password', () => {
  it('neither delay the owner\u2019s nor void its link', async () => {
    expect(await recover(OWNER, STRANGER)).toBe(200)
    expect(await recover(OWNER, STRANGER)).toBe(429)
    expect(await recover(OWNER, HOME)).toBe(200)
    server.clock.advance(MINUTE)
    expect(await recover(OWNER, STRANGER)).toBe(200)
    expect(await mailbox.emails()).toHaveLength(3)
    expect(await open(1)).toContain('access_token=')
  })

  it('do so no more when they come every minute for half an hour', async () => {
    const statuses: number[] = []
    const requestEveryMinute = async (times: number) => {
      for (let number = 0; number < times; number += 1) {
        statuses.push(await recover(OWNER, STRANGER))
        server.clock.advance(MINUTE)
      }
    }
    await requestEveryMinute(20)
    expect(await recover(OWNER, HOME)).toBe(200)
    const own = (await mailbox.emails()).length - 1
    await requestEveryMinute(10)
    expect(count(statuses, 200)).toBe(14)
    expect(await open(own)).toContain('access_token=')
  })

  it('reach the mailbox a bounded number of times, from however many networks', async () => {
    const statuses: number[] = []
    for (let network = 1; network <= 8; network += 1) {
      statuses.push(await recover(OWNER, `10.${String(network)}.0.1`))
    }
    expect(count(statuses, 200)).toBe(5)
    expect(await open(0)).toContain('access_token=')
  })
})

describe('the owner\u2019s request from a network that the account has signed in from', () => {
  async function strangersRequest(): Promise<number[]> {
    const statuses: number[] = []
    for (let network = 1; network <= 6; network += 1) {
      statuses.push(await recover(OWNER, `10.${String(network)}.0.1`))
    }
    return statuses
  }

  it('is not delayed by strangers who use up what the mailbox may get', async () => {
    expect(await strangersRequest()).toEqual([200, 200, 200, 200, 200, 429])
    expect(await recover(OWNER, KNOWN)).toBe(200)
  })

  it('is not delayed by strangers who use up the emails of the installation', async () => {
    for (let round = 0; round < 6; round += 1) {
      await strangersRequest()
      await server.database.pool.query(FORGET_OTHER_LIMITS)
    }
    expect(await recover(OWNER, STRANGER)).toBe(429)
    expect(await signUp(newAddress(), STRANGER)).toBe(429)
    expect(await recover(OWNER, KNOWN)).toBe(200)
  })
})
