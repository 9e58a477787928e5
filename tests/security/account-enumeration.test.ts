import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, newUser, PASSWORD, textMember } from '#tests/contract/auth/auth-client.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { useMailbox, useTestServer } from '#tests/support/shared-server.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { attack, bearer } from './attack.ts'

/** How often passwords were hashed and compared, by the real library. */
const calls = vi.hoisted(() => {
  // Other files may have loaded the server with the library itself.
  vi.resetModules()
  return { hashed: 0, compared: 0 }
})

vi.mock(import('@node-rs/argon2'), async (importOriginal) => {
  const real = await importOriginal()
  return {
    ...real,
    hash: (...given) => {
      calls.hashed += 1
      return real.hash(...given)
    },
    verify: (...given) => {
      calls.compared += 1
      return real.verify(...given)
    },
  }
})

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

const mailbox = useMailbox()
const withoutConfirmation = useTestServer(() => ({ config: { dataDir: mailbox.dataDir } }))
const withConfirmation = useTestServer(() => ({ config: { dataDir: mailbox.dataDir, confirmEmail: true } }))

beforeAll(async () => {
  await newUser(withoutConfirmation, 'known@example.org')
  await call(withConfirmation, 'POST', '/signup', {
    body: { email: 'known@example.org', password: PASSWORD },
  })
  await withConfirmation.database.pool.query('update auth.users set email_confirmed_at = now()')
  // Creates the hash that is compared when there is no account.
  await observe(withoutConfirmation, 'POST', '/token?grant_type=password', {
    email: 'unknown@example.org',
    password: 'x',
  })
})

beforeEach(() => {
  withoutConfirmation.clock.advance(61)
  withConfirmation.clock.advance(61)
})

interface Observation {
  status: number
  body: string
  headers: string[]
  hashed: number
  compared: number
}

/** Everything that a client can see, and the password operations, which determine the time it could measure. */
async function observe(
  server: TestServer,
  method: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Observation> {
  const before = { ...calls }
  const response = await call(server, method, path, { body, headers })
  return {
    status: response.status,
    body: JSON.stringify(response.body),
    headers: [...response.headers.keys()].toSorted(),
    hashed: calls.hashed - before.hashed,
    compared: calls.compared - before.compared,
  }
}

describe('an email address with an account is indistinguishable from one without', () => {
  it('when signing in with a wrong password', async () => {
    const observeFor = (email: string) =>
      observe(withoutConfirmation, 'POST', '/token?grant_type=password', { email, password: 'wrong one' })
    const known = await observeFor('known@example.org')
    expect(known).toMatchObject({ status: 400, hashed: 0, compared: 1 })
    expect(await observeFor('unknown@example.org')).toEqual(known)
  })

  it('when signing in to an account without a password', async () => {
    await withoutConfirmation.database.pool.query(
      `insert into auth.users (id, email, encrypted_password) values
       (gen_random_uuid(), 'null@example.org', null), (gen_random_uuid(), 'empty@example.org', '')`,
    )
    const observeFor = (email: string, password: string) =>
      observe(withoutConfirmation, 'POST', '/token?grant_type=password', { email, password })
    for (const password of ['wrong one', '']) {
      const known = await observeFor('known@example.org', password)
      expect(known.status).toBe(400)
      expect(await observeFor('null@example.org', password)).toEqual(known)
      expect(await observeFor('empty@example.org', password)).toEqual(known)
    }
  })

  // Nor when requested twice: tests/contract/auth/recover.test.ts.
  it('when requesting a password reset', async () => {
    const observeFor = (email: string) => observe(withoutConfirmation, 'POST', '/recover', { email })
    const known = await observeFor('known@example.org')
    expect(known).toMatchObject({ status: 200, body: '{}', hashed: 0, compared: 0 })
    expect(await observeFor('unknown@example.org')).toEqual(known)
  })

  it('when signing up, if email addresses are confirmed', async () => {
    const observeFor = async (email: string) => {
      const body = { email, password: 'a quiet hour', data: { full_name: 'Ruth' } }
      const observed = await observe(withConfirmation, 'POST', '/signup', body)
      return { ...observed, body: observed.body.replaceAll(email, 'ADDRESS').replaceAll(UUID, 'ID') }
    }
    const fresh = await observeFor('fresh@example.org')
    expect(fresh).toMatchObject({ status: 200, hashed: 1, compared: 0 })
    expect(await observeFor('known@example.org')).toEqual(fresh)
    const { body, status, headers } = await observeFor('fresh@example.org')
    expect({ body, status, headers }).toEqual({
      body: fresh.body,
      status: fresh.status,
      headers: fresh.headers,
    })
  })

  it('when signing up repeatedly, by its id', async () => {
    const idFor = async (email: string) => {
      const body = { email, password: 'a quiet hour' }
      const response = await call(withConfirmation, 'POST', '/signup', { body })
      return textMember(response.body, 'id')
    }
    for (const email of ['known@example.org', 'repeated@example.org']) {
      expect(await idFor(email)).not.toBe(await idFor(email))
    }
  })

  it('when asking for it as the new address of an account', async () => {
    const { access_token: token } = await newUser(withoutConfirmation)
    const observeFor = async (email: string) => {
      const before = (await mailbox.emails()).length
      const observed = await observe(withoutConfirmation, 'PUT', '/user', { email }, bearer(token))
      const emails = (await mailbox.emails()).length - before
      return { ...observed, body: observed.body.replaceAll(email, 'ADDRESS'), emails }
    }
    const known = await observeFor('known@example.org')
    expect(known).toMatchObject({ status: 200, hashed: 0, compared: 0, emails: 2 })
    expect(await observeFor('unknown@example.org')).toEqual(known)
  })

  it('by the time that a mail server takes, since the response does not wait for it', async () => {
    const smtp = await startSmtpServer()
    const server = await startTestServer({ config: { smtpUrl: smtp.url, confirmEmail: true } })
    await newUser(server, 'confirmed@example.org')
    const { user } = await newUser(server, 'unconfirmed@example.org')
    await server.database.pool.query('update auth.users set email_confirmed_at = null where id = $1', [
      user.id,
    ])
    smtp.behaviour = 'silent'
    const responses = await Promise.all([
      attack(server, { method: 'POST', path: '/auth/v1/recover', body: { email: 'confirmed@example.org' } }),
      attack(server, {
        method: 'POST',
        path: '/auth/v1/resend',
        body: { type: 'signup', email: 'unconfirmed@example.org' },
      }),
    ])
    expect(responses.map(({ status, text }) => [status, text])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ])
    await smtp.close()
    await server.close()
  })

  it('when opening an invalid link', async () => {
    const observeFor = (email: string) =>
      observe(withoutConfirmation, 'POST', '/verify', { type: 'recovery', email, token: '123456' })
    const known = await observeFor('known@example.org')
    expect(known.status).toBe(403)
    expect(await observeFor('unknown@example.org')).toEqual(known)
  })
})

it('a sign-up without confirmation reveals an existing account, as it must, but takes as long as for a new one', async () => {
  const observeFor = (email: string) =>
    observe(withoutConfirmation, 'POST', '/signup', { email, password: 'a quiet hour' })
  const known = await observeFor('known@example.org')
  expect(known).toMatchObject({ status: 422, hashed: 1, compared: 0 })
  expect(await observeFor('another@example.org')).toMatchObject({ status: 200, hashed: 1, compared: 0 })
})

it('a password over the maximum length is not hashed', async () => {
  const password = 'x'.repeat(10_000)
  const response = await observe(withoutConfirmation, 'POST', '/signup', {
    email: 'long@example.org',
    password,
  })
  expect(response).toMatchObject({ status: 400, hashed: 0, compared: 0 })
})
