import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, refresh, sessionOf, signIn, signUp } from '#tests/contract/auth/auth-client.ts'
import { createEmptyDatabase, type TestDatabase } from '#tests/support/database.ts'
import { send } from '#tests/support/data-requests.ts'
import { type Site, startSite } from './site.ts'

describe('two servers on one database', () => {
  let database: TestDatabase
  let one: Site
  let other: Site

  /** Started at the same time on an empty database. */
  beforeAll(async () => {
    database = await createEmptyDatabase()
    const env = { DATA_DIR: '/nonexistent', ...database.env }
    ;[one, other] = await Promise.all([startSite(env, database.url), startSite(env, database.url)])
  })
  afterAll(async () => {
    await Promise.all([one, other].map((site) => site.process.end('SIGTERM')))
    await database.drop()
  })

  it('agree on their keys when they start at the same time on an empty one', async () => {
    const { rows } = await database.pool.query('select name from intercede.settings order by name')
    expect(rows).toEqual([
      { name: expect.stringMatching(/^anon_key \w{16}$/) },
      { name: 'jwt_secret' },
      { name: 'vapid_keys' },
    ])
  })

  it('serve the same data to users who signed in at either', async () => {
    const { access_token: token } = await signUp(one, 'anna@example.org')
    const body = { name: 'Family', order: 1 }
    expect((await send(other, '/categories', { method: 'POST', token, body })).status).toBe(201)
    const seen = await send(one, '/categories?select=name', { token })
    expect(seen.json()).toEqual([{ name: 'Family' }])
    const renaming = { method: 'PATCH', token, body: { name: 'Kin' } }
    expect((await send(other, '/categories?name=eq.Family', renaming)).status).toBe(204)
    const { access_token: anotherToken } = sessionOf(await signIn(other, 'anna@example.org'))
    const seenAgain = await send(one, '/categories?select=name', { token: anotherToken })
    expect(seenAgain.json()).toEqual([{ name: 'Kin' }])
  })

  it('share sessions: one refreshed at one server is ended at the other', async () => {
    const first = await signUp(one, 'ben@example.org')
    const second = sessionOf(await refresh(other, first.refresh_token))
    expect((await call(one, 'GET', '/user', { token: second.access_token })).status).toBe(200)
    expect((await call(one, 'POST', '/logout?scope=global', { token: second.access_token })).status).toBe(204)
    expect((await refresh(other, second.refresh_token)).status).toBe(400)
    expect((await call(other, 'GET', '/user', { token: second.access_token })).status).toBe(403)
  })

  it('keep users of a killed one signed in at the other', async () => {
    const { access_token: token } = await signUp(one, 'dora@example.org')
    await send(one, '/categories', { method: 'POST', token, body: { name: 'Family', order: 1 } })
    await one.process.end('SIGKILL')
    expect((await send(other, '/categories?select=name', { token })).json()).toEqual([{ name: 'Family' }])
    expect((await signIn(other, 'dora@example.org')).status).toBe(200)
  })
})
