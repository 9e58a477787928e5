import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { call, PASSWORD, refresh, sessionOf, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { createEmptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { send } from '#tests/support/data-requests.ts'
import { makeFolder, type Site, startSite } from './site.ts'

/** Two servers, started at the same time on an empty database. */
interface Pair {
  one: Site
  other: Site
  database: TestDatabase
  end: () => Promise<void>
}

async function startPair(): Promise<Pair> {
  const folder = await makeFolder()
  const database = await createEmptyDatabase()
  const start = () => startSite({ DATA_DIR: folder, DATABASE_URL: database.url }, database.url)
  const [one, other] = await Promise.all([start(), start()])
  const end = async () => {
    await Promise.all([one, other].map((site) => site.process.end('SIGTERM')))
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  return { one, other, database, end }
}

describe('two servers on one database', () => {
  let pair: Pair

  beforeAll(async () => {
    pair = await startPair()
  })
  afterAll(() => pair.end())

  it('agree on their keys when they start at the same time on an empty one', async () => {
    const { one, other, database } = pair
    expect(one.services).toEqual(other.services)
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from intercede.settings order by name',
    )
    expect(rows.map(({ name }) => name.split(' ')[0])).toEqual(['anon_key', 'jwt_secret'])
  })

  it('serve the same data to users who signed in at either', async () => {
    const { one, other } = pair
    const { access_token: token } = await signUp(one, 'anna@example.org')
    const added = await send(other, '/categories', {
      method: 'POST',
      token,
      body: { name: 'Family', order: 1 },
    })
    expect(added.status).toBe(201)
    const seen = await send(one, '/categories?select=name', { token })
    expect(seen.json()).toEqual([{ name: 'Family' }])
    const changed = await send(one, '/categories?name=eq.Family', {
      method: 'PATCH',
      token,
      body: { name: 'Kin' },
    })
    expect(changed.status).toBe(204)
    const { access_token: anotherToken } = sessionOf(await signIn(other, 'anna@example.org'))
    const seenAgain = await send(one, '/categories?select=name', { token: anotherToken })
    expect(seenAgain.json()).toEqual([{ name: 'Kin' }])
  })

  it('share sessions: one refreshed at one server is ended at the other', async () => {
    const { one, other } = pair
    const first = await signUp(one, 'ben@example.org')
    const second = sessionOf(await refresh(other, first.refresh_token))
    expect((await call(one, 'GET', '/user', { token: second.access_token })).status).toBe(200)
    expect((await call(one, 'POST', '/logout?scope=global', { token: second.access_token })).status).toBe(204)
    expect((await refresh(other, second.refresh_token)).status).toBe(400)
    expect((await call(other, 'GET', '/user', { token: second.access_token })).status).toBe(403)
  })

  it('create one account for simultaneous sign-ups with the same address', async () => {
    const { one, other } = pair
    const body = { email: 'carl@example.org', password: PASSWORD }
    const responses = await Promise.all(
      [0, 1, 2, 3].flatMap(() => [one, other].map((site) => call(site, 'POST', '/signup', { body }))),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(7)
  })
})

it('users of a killed server remain signed in at the other', async () => {
  const { one, other, end } = await startPair()
  onTestFinished(end)
  const { access_token: token } = await signUp(one, 'anna@example.org')
  await send(one, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })
  await one.process.end('SIGKILL')
  expect((await send(other, '/categories?select=name', { token })).json()).toEqual([{ name: 'Family' }])
  expect((await signIn(other, 'anna@example.org')).status).toBe(200)
})
