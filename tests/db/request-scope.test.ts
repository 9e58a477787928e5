import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPool } from '#server/db/pool.ts'
import { runAs } from '#server/db/request-scope.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addPeople, ANNA, asAnna, asNobody } from '#tests/support/people.ts'
import { tapWire } from '#tests/support/wire-tap.ts'

let database: TestDatabase
/** A single connection, so that what one request leaves on it would be met by the next. */
let pool: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  await addPeople(database.pool)
  pool = createPool({ url: database.url, max: 1 })
})
beforeEach(() => database.pool.query('truncate public.prayers, public.categories'))
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const WHO = {
  text: `select current_user::text as role, auth.uid() as id, pg_backend_pid() as connection`,
  values: [],
}

function addCategory(name: string) {
  return {
    name: 'add category',
    text: 'insert into public.categories (name, "order") values ($1, 1) returning user_id, name',
    values: [name],
  }
}

async function storedNames(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    'select name from public.categories order by name',
  )
  return rows.map((row) => row.name)
}

describe('a statement run as a caller', () => {
  it('runs in the role and with the claims of the caller', async () => {
    const { rows } = await runAs(pool, asAnna, WHO)
    expect(rows).toMatchObject([{ role: 'authenticated', id: ANNA }])
  })

  it('is committed when it resolves', async () => {
    const { rows } = await runAs(pool, asAnna, addCategory('Family'))
    expect(rows).toEqual([{ user_id: ANNA, name: 'Family' }])
    expect(await storedNames()).toEqual(['Family'])
  })

  it('leaves nothing of the caller on the connection', async () => {
    const first = await runAs(pool, asAnna, WHO)
    const { rows: between } = await pool.query<{ role: string; claims: string | null }>(
      `select current_user = session_user as owner, nullif(current_setting('request.jwt.claims', true), '') as claims`,
    )
    const second = await runAs(pool, asNobody, WHO)
    expect(between).toEqual([{ owner: true, claims: null }])
    expect(second.rows).toMatchObject([{ role: 'anon', id: null }])
    expect(second.rows[0]?.['connection']).toBe(first.rows[0]?.['connection'])
  })

  it('leaves nothing of the caller on the connection when it fails either', async () => {
    await expect(runAs(pool, asAnna, { text: 'select 1/0', values: [] })).rejects.toThrow('division by zero')
    const { rows } = await pool.query(`select current_user = session_user as owner`)
    expect(rows).toEqual([{ owner: true }])
  })

  it('never runs when the caller could not be confined', async () => {
    const unreadable = { ...asAnna, claims: '\u0000' }
    const attempt = runAs(pool, unreadable, {
      text: `insert into public.categories (user_id, name, "order") values ($1, 'Unconfined', 1)`,
      values: [ANNA],
    })
    await expect(attempt).rejects.toMatchObject({ code: '22021' })
    expect(await storedNames()).toEqual([])
  })

  it('is undone whole when it fails, and the connection serves the next request', async () => {
    const before = await runAs(pool, asAnna, WHO)
    const text = `with added as (
        insert into public.categories (name, "order") values ('One', 1), ('Two', 2) returning 1
      ) select intercede.require_single_row(count(*)) from added`
    await expect(runAs(pool, asAnna, { text, values: [] })).rejects.toMatchObject({ code: 'PT406' })
    expect(await storedNames()).toEqual([])
    await runAs(pool, asAnna, addCategory('Friends'))
    expect(await storedNames()).toEqual(['Friends'])
    const after = await runAs(pool, asAnna, WHO)
    expect(after.rows[0]?.['connection']).toBe(before.rows[0]?.['connection'])
  })

  it('rejects when the commit is what fails', async () => {
    await database.pool.query(`
      create table public.pledges (id int primary key deferrable initially deferred);
      grant insert on public.pledges to authenticated`)
    const twice = { text: 'insert into public.pledges values ($1), ($1)', values: [1] }
    await expect(runAs(pool, asAnna, twice)).rejects.toMatchObject({ code: '23505' })
    const { rowCount } = await database.pool.query('select from public.pledges')
    expect(rowCount).toBe(0)
  })

  it('costs one round trip, prepared before or not', async () => {
    const tap = await tapWire(database.url)
    const tapped = createPool({ url: tap.url, max: 1 })
    await tapped.query('select 1')
    const atRest = tap.roundTrips()
    await runAs(tapped, asAnna, addCategory('First'))
    expect(tap.roundTrips() - atRest).toBe(1)
    await runAs(tapped, asAnna, addCategory('Second'))
    expect(tap.roundTrips() - atRest).toBe(2)
    await tapped.end()
    await tap.close()
  })
})

describe('prepared statements', () => {
  async function preparedCount(): Promise<number> {
    const { rows } = await runAs<{ count: number }>(pool, asAnna, {
      text: 'select count(*)::int as count from pg_prepared_statements',
      values: [],
    })
    return rows[0]?.count ?? 0
  }

  it('work again after the statement failed the first time', async () => {
    const shape = { name: 'insert pledge', text: 'insert into public.later_table values ($1)', values: [1] }
    await expect(runAs(pool, asAnna, shape)).rejects.toMatchObject({ code: '42P01' })
    await database.pool.query(
      `create table public.later_table (id int); grant insert on public.later_table to authenticated`,
    )
    await expect(runAs(pool, asAnna, shape)).resolves.toMatchObject({ rowCount: 1 })
  })

  it('may give a name a new text', async () => {
    const ask = (text: string) => runAs(pool, asAnna, { name: 'same name', text, values: [] })
    expect((await ask('select 1 as answer')).rows).toEqual([{ answer: 1 }])
    expect((await ask('select 2 as answer')).rows).toEqual([{ answer: 2 }])
  })

  it('give the same rows every time, with and without any', async () => {
    const ask = (rows: number) =>
      runAs(pool, asAnna, {
        name: 'numbers',
        text: 'select n::int4 as n, null as nothing, array[n] as list from generate_series(1, $1::int) n',
        values: [rows],
      })
    const first = await ask(1)
    expect(first).toMatchObject({ rows: [{ n: 1, nothing: null, list: [1] }], rowCount: 1 })
    const none = await ask(0)
    expect(none).toMatchObject({ rows: [], rowCount: 0, fields: first.fields })
    expect(await ask(2)).toMatchObject({ rows: [{ n: 1 }, { n: 2, list: [2] }], rowCount: 2 })
  })

  it('survive a migration that changes their table', async () => {
    const ask = () =>
      runAs(pool, asAnna, { name: 'all of it', text: 'select * from public.growing', values: [] })
    await database.pool.query(
      'create table public.growing (a int); grant select on public.growing to authenticated',
    )
    expect((await ask()).fields).toHaveLength(1)
    await database.pool.query('alter table public.growing add b int')
    expect((await ask()).fields).toHaveLength(2)
  })

  it('are let go when there are too many on a connection', async () => {
    for (let index = 0; index < 230; index += 1) {
      await runAs(pool, asAnna, {
        name: `shape ${String(index)}`,
        text: `select ${String(index)}`,
        values: [],
      })
    }
    expect(await preparedCount()).toBe(200)
    await expect(
      runAs(pool, asAnna, { name: 'shape 0', text: 'select 0', values: [] }),
    ).resolves.toMatchObject({ rowCount: 1 })
  })
})

describe('a connection that breaks', () => {
  it('fails the request it was used for, and is replaced', async () => {
    const client = await database.pool.connect()
    await client.query('select pg_advisory_lock(1)')
    const waiting = runAs(pool, asAnna, { text: 'select pg_advisory_xact_lock(1)', values: [] })
    const outcome = waiting.catch((error: unknown) => error)
    await expect
      .poll(async () => {
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        )
        return rowCount
      })
      .toBe(1)
    expect(await outcome).toMatchObject({ code: '57P01' })
    await client.query('select pg_advisory_unlock_all()')
    client.release()
    await expect(runAs(pool, asAnna, WHO)).resolves.toMatchObject({ rowCount: 1 })
  })
})
