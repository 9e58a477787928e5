import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanUp } from '#server/auth/clean-up.ts'
import { call, refresh, sessionOf, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { send } from '#tests/support/data-requests.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** With a tenth of the usual limits: sign-ins in a row, and seconds until the next one is allowed. */
const RATE_LIMIT_FACTOR = 0.1
const BURST = 3
const UNTIL_NEXT = 20

let server: TestServer

beforeEach(async () => {
  server = await startTestServer({ config: { rateLimitFactor: RATE_LIMIT_FACTOR } })
})
afterEach(() => server.close())

const readLists = (token: string) => send(server, '/categories?select=id', { token })

/** Statuses of `count` consecutive sign-ins with a wrong password. */
async function guess(count: number): Promise<number[]> {
  const statuses: number[] = []
  for (let attempt = 0; attempt < count; attempt += 1) {
    const body = { email: 'anna@example.org', password: 'no idea' }
    statuses.push((await call(server, 'POST', '/token?grant_type=password', { body })).status)
  }
  return statuses
}

describe('a clock that jumps forwards', () => {
  it('makes access tokens expire early, and a refresh returns a valid one', async () => {
    const first = await signUp(server, 'anna@example.org')
    server.clock.advance(30 * DAY)
    expect((await readLists(first.access_token)).status).toBe(401)
    const second = sessionOf(await refresh(server, first.refresh_token))
    expect((await readLists(second.access_token)).status).toBe(200)
  })
})

describe('a clock that jumps backwards', () => {
  it('makes tokens not yet valid, and a refresh returns a valid one', async () => {
    const first = await signUp(server, 'anna@example.org')
    server.clock.advance(-DAY)
    expect((await readLists(first.access_token)).status).toBe(401)
    const second = sessionOf(await refresh(server, first.refresh_token))
    expect((await readLists(second.access_token)).status).toBe(200)
    const third = sessionOf(await refresh(server, second.refresh_token))
    expect((await readLists(third.access_token)).status).toBe(200)
  })

  it('does not lock out users until the wrong time is reached, and still limits sign-ins', async () => {
    await signUp(server, 'anna@example.org')
    server.clock.advance(365 * DAY)
    expect(await guess(BURST + 1)).toEqual([...Array.from({ length: BURST }, () => 400), 429])
    server.clock.advance(-365 * DAY)
    expect((await signIn(server, 'anna@example.org')).status).toBe(200)
    expect(await guess(BURST)).toEqual([...Array.from({ length: BURST - 1 }, () => 400), 429])
    server.clock.advance(UNTIL_NEXT)
    expect((await signIn(server, 'anna@example.org')).status).toBe(200)
  })

  it('allows no additional sign-ins when it jumps by the difference between two servers', async () => {
    await signUp(server, 'anna@example.org')
    await guess(BURST)
    server.clock.advance(-60)
    expect(await guess(2)).toEqual([429, 429])
  })
})

it('loses neither sessions nor data when the clock is temporarily a month ahead', async () => {
  const { access_token: token, refresh_token: refreshToken } = await signUp(server, 'anna@example.org')
  await send(server, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })
  server.clock.advance(30 * DAY)
  // In the meantime another user signs up, and expired rows are removed.
  await signUp(server, 'ben@example.org')
  await cleanUp(server.services)
  server.clock.advance(-30 * DAY)
  const session = sessionOf(await refresh(server, refreshToken))
  expect((await send(server, '/categories?select=name', { token: session.access_token })).json()).toEqual([
    { name: 'Family' },
  ])
})
