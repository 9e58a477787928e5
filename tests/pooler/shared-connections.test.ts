import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runAs } from '#server/db/request-scope.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { DATA_LOGIN, mapUrls, openPools } from '#tests/support/pgbouncer.ts'
import { addUsers, ANNA, asAnna, asBen, BEN } from '#tests/support/users.ts'
import { replacing, tapWire } from '#tests/support/wire-tap.ts'

/** More than the pooler has connections to PostgreSQL. */
const CLIENTS = 40

const STATE = `
  select current_user::text as role, nullif(current_setting('request.jwt.claims', true), '') as claims,
         pg_backend_pid() as connection`

describe('connections of PostgreSQL that requests share', () => {
  let database: TestDatabase
  let clients: Pool[]

  beforeAll(async () => {
    database = await createTestDatabase()
    await addUsers(database.pool)
    clients = Array.from({ length: CLIENTS }, () => openDataPool())
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    await database.drop()
  })

  /** A single connection to the pooler. */
  function openDataPool(env = database.env): Pool {
    const { dataPool } = openPools(env)
    dataPool.options.max = 1
    return dataPool
  }

  /** A single connection whose bytes are changed on the way to the pooler. */
  async function openEdited(edit: (sent: Buffer) => Buffer): Promise<Pool> {
    const tap = await tapWire(database.env.DATABASE_URL, edit)
    const client = openDataPool(mapUrls(database.env, (url) => tap.through(url)))
    onTestFinished(async () => {
      await client.end()
      await tap.close()
    })
    return client
  }

  /** Outside any transaction. */
  async function stateOf(pool: Pool) {
    const client = await pool.connect()
    const { rows } = await client.query<{ role: string; claims: string | null; connection: number }>(STATE)
    client.release()
    return rows[0]
  }

  function addCategory(name: string) {
    return { text: 'insert into public.categories (name, "order") values ($1, 1)', values: [name] }
  }

  async function storedNames(): Promise<string[]> {
    const { rows } = await database.pool.query<{ name: string }>('select name from public.categories')
    return rows.map(({ name }) => name)
  }

  it.each([
    ['succeeds', 'select pg_backend_pid() as connection'],
    ['fails', 'select 1/0'],
  ])('keep neither role nor claims of a request that %s', async (_outcome, text) => {
    const [one, other] = [openDataPool(), openDataPool()]
    await runAs(one, asAnna, { text, values: [] }).catch(() => null)
    expect(await stateOf(other)).toMatchObject({ role: DATA_LOGIN, claims: null })
    await Promise.all([one.end(), other.end()])
  })

  it('run each request of many clients at once in the role and with the claims of its caller', async () => {
    const text = `select auth.uid() as id, current_user::text as role, pg_backend_pid() as connection`
    const results = await Promise.all(
      clients.map(async (client, index) => {
        const { rows } = await runAs<{ id: string; role: string; connection: number }>(
          client,
          index % 2 === 0 ? asAnna : asBen,
          { text, values: [] },
        )
        return rows[0]
      }),
    )
    expect(results.map((row) => row?.id)).toEqual(clients.map((_, index) => (index % 2 === 0 ? ANNA : BEN)))
    expect(new Set(results.map((row) => row?.role))).toEqual(new Set(['authenticated']))
    expect(new Set(results.map((row) => row?.connection)).size).toBeLessThan(CLIENTS)
  })

  it('change nothing when the transaction does not begin', async () => {
    const client = await openEdited(replacing('begin;', 'bogus;'))
    await expect(runAs(client, asAnna, addCategory('Outside'))).rejects.toThrow('"bogus"')
    expect(await storedNames()).toEqual([])
    expect(await stateOf(client)).toMatchObject({ role: DATA_LOGIN, claims: null })
  })

  it('change nothing when the transaction is not ended, which nothing else joins', async () => {
    let isBroken = true
    const breakCommit = replacing('commit\0', 'bogus;\0')
    const client = await openEdited((sent) => (isBroken ? breakCommit(sent) : sent))
    await expect(runAs(client, asAnna, addCategory('Unfinished'))).rejects.toThrow('"bogus"')
    isBroken = false
    for (const other of clients)
      expect(await stateOf(other)).toMatchObject({ role: DATA_LOGIN, claims: null })
    await runAs(client, asAnna, addCategory('Family'))
    expect(await storedNames()).toEqual(['Family'])
  })
})
