import { decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadTokenKeys } from '#server/jwt/token-keys.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => database.pool.query('delete from intercede.settings'))
afterAll(() => database.drop())

const NOW = new Date('2026-03-01T09:00:00.000Z')
const LATER = new Date('2026-04-01T09:00:00.000Z')
const unset = { jwtSecret: null, anonKey: null }
const SECRET = 'a secret of the tests, 32 bytes or more'

describe('the keys of an installation', () => {
  it('are created at the first start and loaded at the next', async () => {
    const first = await loadTokenKeys(database.pool, unset, NOW)
    expect(await loadTokenKeys(database.pool, unset, LATER)).toEqual(first)
    expect(first.secret.length).toBeGreaterThanOrEqual(64)
  })

  it('are the same for servers that start at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadTokenKeys(database.pool, unset, NOW)))
    expect(new Set(keys.map((key) => key.anonKey)).size).toBe(1)
    expect(new Set(keys.map((key) => key.vapid.privateKey)).size).toBe(1)
    expect(new Set(keys.map((key) => new TextDecoder().decode(key.secret))).size).toBe(1)
  })

  it('include a token of role anon, valid for ten years, signed with the secret', async () => {
    const { secret, anonKey } = await loadTokenKeys(database.pool, unset, NOW)
    const { payload } = await jwtVerify(anonKey, secret, { currentDate: NOW, algorithms: ['HS256'] })
    expect(payload).toEqual({
      role: 'anon',
      iss: 'supabase',
      iat: NOW.getTime() / 1000,
      exp: NOW.getTime() / 1000 + 10 * 365 * 86_400,
    })
  })

  it('include one public key for each configured secret', async () => {
    const kept = await loadTokenKeys(database.pool, unset, NOW)
    const configured = await loadTokenKeys(database.pool, { ...unset, jwtSecret: SECRET }, NOW)
    expect(new TextDecoder().decode(configured.secret)).toBe(SECRET)
    expect(configured.anonKey).not.toBe(kept.anonKey)
    expect(await loadTokenKeys(database.pool, { ...unset, jwtSecret: SECRET }, LATER)).toEqual(configured)
    expect(await loadTokenKeys(database.pool, unset, LATER)).toEqual(kept)
  })

  it('that sign tokens are not stored when both are configured', async () => {
    const keys = await loadTokenKeys(database.pool, { jwtSecret: SECRET, anonKey: 'given' }, NOW)
    expect(keys.anonKey).toBe('given')
    const { rows } = await database.pool.query('select name from intercede.settings')
    expect(rows).toEqual([{ name: 'vapid_keys' }])
  })

  it('differ between installations', async () => {
    const here = await loadTokenKeys(database.pool, unset, NOW)
    await database.pool.query('delete from intercede.settings')
    const there = await loadTokenKeys(database.pool, unset, NOW)
    expect(decodeJwt(here.anonKey)).toEqual(decodeJwt(there.anonKey))
    expect(here.anonKey).not.toBe(there.anonKey)
  })
})
