import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, PASSWORD, signUp } from '#tests/contract/auth/auth-client.ts'
import { createMailbox, type Mailbox } from '#tests/support/mailbox.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

/** How often passwords were hashed and compared. The work is that of the real library; it is only counted. */
const work = vi.hoisted(() => ({ hashed: 0, compared: 0 }))

vi.mock(import('@node-rs/argon2'), async (importOriginal) => {
  const real = await importOriginal()
  return {
    ...real,
    hash: (...given) => {
      work.hashed += 1
      return real.hash(...given)
    },
    verify: (...given) => {
      work.compared += 1
      return real.verify(...given)
    },
  }
})

let atOnce: TestServer
let byMail: TestServer
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await createMailbox()
  atOnce = await startTestServer({ config: { dataDir: mailbox.dataDir } })
  byMail = await startTestServer({ config: { dataDir: mailbox.dataDir, confirmEmail: true } })
  await signUp(atOnce, 'known@example.org')
  await call(byMail, 'POST', '/signup', { body: { email: 'known@example.org', password: PASSWORD } })
  await byMail.database.pool.query('update auth.users set email_confirmed_at = now()')
  // The hash that stands in for a missing one is made when it is first needed.
  await attempt(atOnce, 'POST', '/token?grant_type=password', { email: 'nobody@example.org', password: 'x' })
})

afterAll(async () => {
  await atOnce.close()
  await byMail.close()
  await mailbox.remove()
})

beforeEach(() => {
  atOnce.clock.advance(61)
  byMail.clock.advance(61)
})

interface Seen {
  status: number
  body: string
  headers: string[]
  hashed: number
  compared: number
}

/** All that whoever asks can see, and the work that takes the time they could measure. */
async function attempt(server: TestServer, method: string, path: string, body: object): Promise<Seen> {
  const before = { ...work }
  const answer = await call(server, method, path, { body })
  return {
    status: answer.status,
    body: JSON.stringify(answer.body),
    headers: [...answer.headers.keys()].toSorted(),
    hashed: work.hashed - before.hashed,
    compared: work.compared - before.compared,
  }
}

describe('an address with an account can not be told from one without', () => {
  it('by signing in with a wrong password', async () => {
    const ask = (email: string) =>
      attempt(atOnce, 'POST', '/token?grant_type=password', { email, password: 'wrong one' })
    const known = await ask('known@example.org')
    expect(known).toMatchObject({ status: 400, hashed: 0, compared: 1 })
    expect(await ask('nobody@example.org')).toEqual(known)
  })

  it('by signing in to an account that has no password', async () => {
    await atOnce.database.pool.query(
      `insert into auth.users (id, email, encrypted_password) values
       (gen_random_uuid(), 'null@example.org', null), (gen_random_uuid(), 'empty@example.org', '')`,
    )
    const ask = (email: string) =>
      attempt(atOnce, 'POST', '/token?grant_type=password', { email, password: 'wrong one' })
    const known = await ask('known@example.org')
    expect(await ask('null@example.org')).toEqual(known)
    expect(await ask('empty@example.org')).toEqual(known)
  })

  it('by asking for a new password', async () => {
    const ask = (email: string) => attempt(atOnce, 'POST', '/recover', { email })
    const known = await ask('known@example.org')
    expect(known).toMatchObject({ status: 200, body: '{}', hashed: 0, compared: 0 })
    expect(await ask('nobody@example.org')).toEqual(known)
  })

  it('by asking for a new password twice', async () => {
    const strict = await startTestServer({ config: { dataDir: mailbox.dataDir, rateLimitFactor: 1 } })
    try {
      await signUp(strict, 'known@example.org')
      const ask = (email: string) => attempt(strict, 'POST', '/recover', { email })
      await ask('known@example.org')
      await ask('nobody@example.org')
      const known = await ask('known@example.org')
      expect(known.status).toBe(429)
      expect(await ask('nobody@example.org')).toEqual(known)
    } finally {
      await strict.close()
    }
  })

  it('by asking for the confirmation again', async () => {
    const ask = (email: string) => attempt(byMail, 'POST', '/resend', { type: 'signup', email })
    const known = await ask('known@example.org')
    expect(known).toMatchObject({ status: 200, body: '{}' })
    expect(await ask('nobody@example.org')).toEqual(known)
  })

  it('by the status or the time of signing up, where addresses are confirmed', async () => {
    const ask = (email: string) => attempt(byMail, 'POST', '/signup', { email, password: 'a quiet hour' })
    const known = await ask('known@example.org')
    const fresh = await ask('fresh@example.org')
    expect(known).toMatchObject({ status: 200, hashed: 1, compared: 0 })
    expect({ ...fresh, body: '' }).toEqual({ ...known, body: '' })
  })

  it('by a link that does not work', async () => {
    const ask = (email: string) =>
      attempt(atOnce, 'POST', '/verify', { type: 'recovery', email, token: '123456' })
    const known = await ask('known@example.org')
    expect(known.status).toBe(403)
    expect(await ask('nobody@example.org')).toEqual(known)
  })
})

it('without confirmation signing up does tell, after the same work: nobody could sign up otherwise', async () => {
  const ask = (email: string) => attempt(atOnce, 'POST', '/signup', { email, password: 'a quiet hour' })
  const known = await ask('known@example.org')
  expect(known).toMatchObject({ status: 422, hashed: 1, compared: 0 })
  expect(await ask('another@example.org')).toMatchObject({ status: 200, hashed: 1, compared: 0 })
})

it('a password that is too long to be one costs no work', async () => {
  const password = 'x'.repeat(100_000)
  const signingUp = await attempt(atOnce, 'POST', '/signup', { email: 'long@example.org', password })
  expect(signingUp).toMatchObject({ status: 400, hashed: 0, compared: 0 })
})
