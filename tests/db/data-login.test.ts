import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireDataRole } from '#server/db/data-role.ts'
import { migrate } from '#server/db/migrations/migrate.ts'
import { openDatabase, type Database } from '#server/db/open-database.ts'
import { runAs } from '#server/db/request-scope.ts'
import { StartupError } from '#server/errors/operator-errors.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addUsers, ANNA, asAnna } from '#tests/support/users.ts'

const LOGIN = `intercede_login_${String(process.pid)}`
const OWNER = `intercede_owner_${String(process.pid)}`

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await addUsers(database.pool)
  await database.pool.query(
    `create role ${LOGIN} login noinherit password 'secret'; grant ${LOGIN} to current_user`,
  )
})
afterAll(async () => {
  await database.pool.query(`drop owned by ${LOGIN}; drop role ${LOGIN}`)
  await database.drop()
})

/** The URL for another role. */
function as(role: string, url: string): string {
  const other = new URL(url)
  other.searchParams.set('user', role)
  other.searchParams.set('password', 'secret')
  return other.href
}

/** What a server with both URLs does first. */
async function start(dataDatabaseUrl: string, databaseUrl = database.url): Promise<Database> {
  const opened = await openDatabase({
    databaseUrl,
    dataDatabaseUrl,
    dataDir: '/nonexistent',
    onConnectionLost: () => {},
    onLogLine: () => {},
    onRestartFailed: () => {},
  })
  try {
    await migrate(opened.pool, PACKAGE_ROOT, opened.dataRole)
    await requireDataRole(opened.dataPool, opened.dataRole)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function expectRejected(starting: Promise<Database>, message: string | RegExp): Promise<void> {
  await expect(starting).rejects.toThrow(StartupError)
  await expect(starting).rejects.toThrow(message)
}

/** What PostgreSQL sets by itself is 0, and the time zone of the login. */
const SETTINGS = `
  select current_setting('timezone') as zone, current_setting('statement_timeout') as statement,
         current_setting('lock_timeout') as lock,
         current_setting('idle_in_transaction_session_timeout') as idle`

describe('data connections with a login of their own', () => {
  let opened: Database
  beforeAll(async () => {
    await database.pool.query(`alter role ${LOGIN} set timezone = 'Asia/Kolkata'`)
    opened = await start(as(LOGIN, database.url))
  })
  afterAll(() => opened.close())

  it('run requests in the role of their callers, and have no other rights', async () => {
    const text = `insert into public.categories (name, "order") values ($1, 1) returning user_id, current_user::text`
    const { rows } = await runAs(opened.dataPool, asAnna, { text, values: ['Family'] })
    expect(rows).toEqual([{ user_id: ANNA, current_user: 'authenticated' }])
    for (const table of ['public.categories', 'auth.users', 'intercede.settings'])
      await expect(opened.dataPool.query(`select from ${table}`)).rejects.toMatchObject({ code: '42501' })
  })

  it('set limits in each transaction, and nothing for the next client of a shared connection', async () => {
    const limits = { zone: 'UTC', statement: '15s', lock: '5s', idle: '30s' }
    expect((await runAs(opened.dataPool, asAnna, { text: SETTINGS, values: [] })).rows).toEqual([limits])
    expect((await opened.pool.query(SETTINGS)).rows).toEqual([{ ...limits, lock: '0' }])
    const client = await opened.dataPool.connect()
    const { rows } = await client.query(SETTINGS)
    client.release()
    expect(rows).toEqual([{ zone: 'Asia/Kolkata', statement: '0', lock: '0', idle: '0' }])
  })

  it.each(['pool', 'dataPool'] as const)('prepare nothing (%s)', async (name) => {
    const pool = opened[name]
    await runAs(opened.dataPool, asAnna, { text: 'select 1', values: [] })
    const { rows } = await pool.query<{ value: number }>({
      name: 'double',
      text: 'select 2 * $1::int as value',
      values: [2],
    })
    expect(rows).toEqual([{ value: 4 }])
    expect((await pool.query('select from pg_prepared_statements')).rowCount).toBe(0)
  })

  it('roll back a single statement that fails, and serve the next', async () => {
    const text = 'insert into public.categories (user_id, name, "order") values ($1, $2, 1), ($1, $3, 2)'
    await expect(opened.pool.query(text, [ANNA, 'Friends', null])).rejects.toMatchObject({ code: '23502' })
    const { rows } = await opened.pool.query('select name from public.categories')
    expect(rows).toEqual([{ name: 'Family' }])
  })
})

describe('a server does not start when the login of data connections', () => {
  it('is that of accounts', async () => {
    await expectRejected(start(database.url), /has rights to auth\.\w+ by itself/)
  })

  it('inherits the rights of its roles', async () => {
    await database.pool.query(
      `revoke authenticated from ${LOGIN}; alter role ${LOGIN} inherit; grant authenticated to ${LOGIN}`,
    )
    await expectRejected(start(as(LOGIN, database.url)), /has rights to public\.\w+ by itself/)
    await database.pool.query(`revoke authenticated from ${LOGIN}; alter role ${LOGIN} noinherit`)
  })

  it('may touch a single column', async () => {
    await database.pool.query(
      `grant usage on schema auth to ${LOGIN}; grant select (id) on auth.users to ${LOGIN}`,
    )
    await expectRejected(start(as(LOGIN, database.url)), 'has rights to auth.users by itself')
    await database.pool.query(`revoke all on auth.users from ${LOGIN}`)
  })

  it('may not act as callers, and the owner may not allow it', async () => {
    const other = await createEmptyDatabase()
    const { rows } = await other.pool.query<{ name: string }>('select current_database() as name')
    await other.pool.query(`
      create role ${OWNER} login password 'secret';
      grant anon, authenticated to ${OWNER}; grant ${OWNER} to current_user`)
    await other.pool.query(`alter database "${rows[0]?.name ?? ''}" owner to ${OWNER}`)
    await database.pool.query(`revoke anon, authenticated from ${LOGIN}`)
    await expectRejected(
      start(as(LOGIN, other.url), as(OWNER, other.url)),
      `run GRANT anon, authenticated TO "${LOGIN}" as an administrator`,
    )
    await other.pool.query(
      `reassign owned by ${OWNER} to current_user; drop owned by ${OWNER}; drop role ${OWNER}`,
    )
    await other.drop()
  })

  it('leads to another database', async () => {
    const other = await createEmptyDatabase()
    await expectRejected(
      start(as(LOGIN, other.url)),
      'DATA_DATABASE_URL leads to another database than DATABASE_URL.',
    )
    await other.drop()
  })
})
