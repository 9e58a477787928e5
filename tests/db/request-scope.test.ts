import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDataPool } from '#server/db/pool.ts'
import { runAs } from '#server/db/request-scope.ts'
import { createTestDatabase, type TestDatabase, waitForLocks } from '#tests/support/database.ts'
import { addUsers, ANNA, asAnna, asAnonymous } from '#tests/support/users.ts'
import { replacing, tapWire } from '#tests/support/wire-tap.ts'

let database: TestDatabase
/** A single connection, so that whatever one request leaves on it affects the next. */
let pool: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  await addUsers(database.pool)
  pool = createDataPool({ url: database.url, max: 1 })
})
beforeEach(() => database.pool.query('truncate public.prayers, public.categories cascade'))
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const STATE = {
  text: `select current_user::text as role, auth.uid() as id, pg_backend_pid() as connection`,
  values: [],
}

const OUTSIDE = `
  select current_user::text as role, nullif(current_setting('request.jwt.claims', true), '') as claims`

function addCategory(name: string) {
  return {
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

/** A single connection whose bytes are counted, and may be changed. Closed at the end of the test. */
async function connectThroughTap(edit?: (sent: Buffer) => Buffer) {
  const tap = await tapWire(database.url, edit)
  const tapped = createDataPool({ url: tap.url, max: 1 })
  onTestFinished(async () => {
    await tapped.end()
    await tap.close()
  })
  return { tap, tapped }
}

describe('a statement run as a caller', () => {
  it('runs in the role and with the claims of the caller', async () => {
    const { rows } = await runAs(pool, asAnna, STATE)
    expect(rows).toMatchObject([{ role: 'authenticated', id: ANNA }])
  })

  it('is committed when it resolves', async () => {
    const { rows } = await runAs(pool, asAnna, addCategory('Family'))
    expect(rows).toEqual([{ user_id: ANNA, name: 'Family' }])
    expect(await storedNames()).toEqual(['Family'])
  })

  it('leaves neither role nor claims on the connection', async () => {
    const first = await runAs(pool, asAnna, STATE)
    const { rows: between } = await pool.query(OUTSIDE)
    const second = await runAs(pool, asAnonymous, STATE)
    expect(between).toEqual([{ role: 'intercede_data', claims: null }])
    expect(second.rows).toMatchObject([{ role: 'anon', id: null }])
    expect(second.rows[0]?.['connection']).toBe(first.rows[0]?.['connection'])
  })

  it('leaves neither role nor claims on the connection when it fails', async () => {
    await expect(runAs(pool, asAnna, { text: 'select 1/0', values: [] })).rejects.toThrow('division by zero')
    const { rows } = await pool.query(OUTSIDE)
    expect(rows).toEqual([{ role: 'intercede_data', claims: null }])
  })

  it('is rolled back as a whole when it fails, and the connection serves the next request', async () => {
    const before = await runAs(pool, asAnna, STATE)
    const text = `with added as (
        insert into public.categories (name, "order") values ('One', 1), ('Two', 2) returning 1
      ) select intercede.require_single_row(count(*)) from added`
    await expect(runAs(pool, asAnna, { text, values: [] })).rejects.toMatchObject({ code: 'PT406' })
    expect(await storedNames()).toEqual([])
    await runAs(pool, asAnna, addCategory('Friends'))
    expect(await storedNames()).toEqual(['Friends'])
    const after = await runAs(pool, asAnna, STATE)
    expect(after.rows[0]?.['connection']).toBe(before.rows[0]?.['connection'])
  })

  it('rejects when the commit fails', async () => {
    await database.pool.query(`
      create table public.pledges (id int primary key deferrable initially deferred);
      grant insert on public.pledges to authenticated`)
    const twice = { text: 'insert into public.pledges values ($1), ($1)', values: [1] }
    await expect(runAs(pool, asAnna, twice)).rejects.toMatchObject({ code: '23505' })
    const { rowCount } = await database.pool.query('select from public.pledges')
    expect(rowCount).toBe(0)
    await database.pool.query('drop table public.pledges')
  })

  it('costs one round trip, the first time and later', async () => {
    const { tap, tapped } = await connectThroughTap()
    await tapped.query('select 1')
    const before = tap.roundTrips()
    await runAs(tapped, asAnna, addCategory('First'))
    expect(tap.roundTrips() - before).toBe(1)
    await runAs(tapped, asAnna, addCategory('Second'))
    expect(tap.roundTrips() - before).toBe(2)
  })

  it('is a single statement', async () => {
    const two = { text: 'commit; select 1', values: [] }
    await expect(runAs(pool, asAnna, two)).rejects.toThrow('cannot insert multiple commands')
  })
})

describe('a statement outside the transaction of a caller', () => {
  const FORBIDDEN = { code: '42501' }

  it.each([
    'select from public.prayers',
    'select from public.categories',
    'select from auth.users',
    'select from intercede.settings',
    `insert into public.categories (user_id, name, "order") values ('${ANNA}', 'Outside', 1)`,
    `update public.categories set name = 'Outside'`,
    'delete from public.categories',
    'truncate public.categories',
    'select public.export_account()',
    `select public.import_prayers('{}', false)`,
    'select public.delete_account()',
    `select public.reorder_categories('{}')`,
    'create table public.things ()',
    'create schema things',
  ])('may not %s', async (text) => {
    await expect(pool.query(text)).rejects.toMatchObject(FORBIDDEN)
  })

  it('has no right to any table, sequence or function of ours, except to check a session', async () => {
    const { rows } = await database.pool.query(`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('auth', 'intercede', 'private', 'public', 'supabase_migrations')
        and case when c.relkind in ('r', 'v', 'p')
              then has_table_privilege('intercede_data', c.oid,
                     'select, insert, update, delete, truncate, references, trigger')
                or has_any_column_privilege('intercede_data', c.oid, 'select, insert, update, references')
              when c.relkind = 'S' then has_sequence_privilege('intercede_data', c.oid, 'usage, select, update')
              else false end
      union all
      select n.nspname || '.' || p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('auth', 'intercede', 'public')
        and has_schema_privilege('intercede_data', n.oid, 'usage')
        and has_function_privilege('intercede_data', p.oid, 'execute')`)
    expect(rows).toEqual([{ name: 'intercede.require_active_session' }])
  })

  it('is not run when the caller cannot be set', async () => {
    const invalid = { ...asAnna, claims: '\u0000' }
    const insert = {
      text: `insert into public.categories (user_id, name, "order") values ($1, 'Outside', 1)`,
      values: [ANNA],
    }
    await expect(runAs(pool, invalid, insert)).rejects.toMatchObject({ code: '22021' })
    expect(await storedNames()).toEqual([])
    await runAs(pool, asAnna, addCategory('Family'))
    expect(await storedNames()).toEqual(['Family'])
  })

  it('changes nothing when the transaction does not begin', async () => {
    const { tapped } = await connectThroughTap(replacing('begin\0', 'bogus\0'))
    await expect(runAs(tapped, asAnna, addCategory('Outside'))).rejects.toThrow('"bogus"')
    expect(await storedNames()).toEqual([])
    expect((await tapped.query(OUTSIDE)).rows).toEqual([{ role: 'intercede_data', claims: null }])
  })

  it('does not join a transaction that was not ended', async () => {
    let isBroken = true
    const breakCommit = replacing('commit\0', 'bogus;\0')
    const { tapped } = await connectThroughTap((sent) => (isBroken ? breakCommit(sent) : sent))
    await expect(runAs(tapped, asAnna, addCategory('Unfinished'))).rejects.toThrow('"bogus"')
    isBroken = false
    expect((await tapped.query(OUTSIDE)).rows).toEqual([{ role: 'intercede_data', claims: null }])
    await runAs(tapped, asAnna, addCategory('Family'))
    expect(await storedNames()).toEqual(['Family'])
  })
})

describe('prepared statements', () => {
  it('work again after the statement failed the first time', async () => {
    const insert = { text: 'insert into public.later_table values ($1)', values: [1] }
    await expect(runAs(pool, asAnna, insert)).rejects.toMatchObject({ code: '42P01' })
    await database.pool.query(
      `create table public.later_table (id int); grant insert on public.later_table to authenticated`,
    )
    await expect(runAs(pool, asAnna, insert)).resolves.toMatchObject({ rowCount: 1 })
  })

  it('return the same rows every time, with and without any', async () => {
    const select = (rows: number) =>
      runAs(pool, asAnna, {
        text: 'select n::int4 as n, null as nothing, array[n] as list from generate_series(1, $1::int) n',
        values: [rows],
      })
    const first = await select(1)
    expect(first).toMatchObject({ rows: [{ n: 1, nothing: null, list: [1] }], rowCount: 1 })
    const none = await select(0)
    expect(none).toMatchObject({ rows: [], rowCount: 0, fields: first.fields })
    expect(await select(2)).toMatchObject({ rows: [{ n: 1 }, { n: 2, list: [2] }], rowCount: 2 })
  })

  it('survive a migration that adds a column to their table', async () => {
    const select = () => runAs(pool, asAnna, { text: 'select * from public.growing', values: [] })
    await database.pool.query(
      'create table public.growing (a int); grant select on public.growing to authenticated',
    )
    expect((await select()).fields).toHaveLength(1)
    await database.pool.query('alter table public.growing add b int')
    expect((await select()).fields).toHaveLength(2)
    expect((await select()).fields).toHaveLength(2)
  })

  it('survive a migration that changes the type of a column', async () => {
    const select = (value: string) =>
      runAs(pool, asAnna, { text: 'select * from public.typed where a = $1', values: [value] })
    await database.pool.query(
      'create table public.typed (a text); grant select on public.typed to authenticated',
    )
    expect(await select(ANNA)).toMatchObject({ rowCount: 0 })
    await database.pool.query(
      `alter table public.typed alter a type uuid using a::uuid; insert into public.typed values ('${ANNA}')`,
    )
    expect(await select(ANNA)).toMatchObject({ rowCount: 1 })
    expect(await select(ANNA)).toMatchObject({ rowCount: 1 })
  })

  it('are limited in length: a connection with too many is replaced', async () => {
    const prepared = `(select sum(length(statement))::int from pg_prepared_statements) as prepared`
    const connections = new Set<unknown>()
    for (let index = 0; index < 60; index += 1) {
      const text = `select ${String(index)} as number, pg_backend_pid() as connection, ${prepared} /*${' '.repeat(900)}*/`
      const { rows } = await runAs<{ connection: number; prepared: number }>(pool, asAnna, {
        text,
        values: [],
      })
      expect(rows).toMatchObject([{ number: index }])
      connections.add(rows[0]?.connection)
      expect(rows[0]?.prepared).toBeLessThan(45_000)
    }
    expect(connections.size).toBe(2)
  })

  it('are short: longer ones are prepared each time they run', async () => {
    for (const [length, expected] of [
      [1000, 1],
      [2000, 0],
    ] as const) {
      const text = `select 1 from pg_prepared_statements where statement like '%${length} spaces%' /*${' '.repeat(length)}*/`
      await runAs(pool, asAnna, { text, values: [] })
      expect(await runAs(pool, asAnna, { text, values: [] })).toMatchObject({ rowCount: expected })
    }
  })

  it('do not replace a connection for a statement that is wrong', async () => {
    const { rows: before } = await runAs(pool, asAnna, STATE)
    const wrong = { text: 'select from public.nothing_of_this_name', values: [] }
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(runAs(pool, asAnna, wrong)).rejects.toMatchObject({ code: '42P01' })
    const { rows: after } = await runAs(pool, asAnna, STATE)
    expect(after[0]?.['connection']).toBe(before[0]?.['connection'])
  })
})

describe('a statement with a time limit of its own', () => {
  it('leaves the limit of the next statement as it was', async () => {
    const limit = { text: `select current_setting('statement_timeout') as limit`, values: [] }
    const longer = await runAs(pool, asAnna, { ...limit, timeout: 50_000 })
    const next = await runAs(pool, asAnna, limit)
    expect([...longer.rows, ...next.rows]).toEqual([{ limit: '50s' }, { limit: '15s' }])
  })

  it('is not given up by the driver before', async () => {
    const holder = await database.pool.connect()
    await holder.query('select pg_advisory_lock(3)')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const statement = { text: 'select pg_advisory_xact_lock(3)', values: [], timeout: 50_000 }
    const outcome = runAs(pool, asAnna, statement).then(({ command }) => command, String)
    await waitForLocks(database.pool, 1)
    vi.advanceTimersByTime(50_000)
    await holder.query('select pg_advisory_unlock_all()')
    holder.release()
    expect(await outcome).toBe('SELECT')
  })
})

describe('a connection that breaks', () => {
  it('fails the request it was used for, and is replaced', async () => {
    const client = await database.pool.connect()
    await client.query('select pg_advisory_lock(1)')
    const waiting = runAs(pool, asAnna, { text: 'select pg_advisory_xact_lock(1)', values: [] })
    const outcome = waiting.catch((error: unknown) => error)
    await waitForLocks(database.pool, 1)
    await client.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    expect(await outcome).toMatchObject({ code: '57P01' })
    await client.query('select pg_advisory_unlock_all()')
    client.release()
    await expect(runAs(pool, asAnna, STATE)).resolves.toMatchObject({ rowCount: 1 })
  })

  it('serves the next request after PostgreSQL has cancelled a statement', async () => {
    const holder = await database.pool.connect()
    await holder.query('select pg_advisory_lock(2)')
    // PostgreSQL cancels it, and not the driver.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const statement = { text: 'select pg_advisory_xact_lock(2)', values: [], timeout: 100 }
    await expect(runAs(pool, asAnna, statement)).rejects.toMatchObject({ code: '57014' })
    await expect(runAs(pool, asAnna, STATE)).resolves.toMatchObject({ rowCount: 1 })
    await holder.query('select pg_advisory_unlock_all()')
    holder.release()
  })
})
