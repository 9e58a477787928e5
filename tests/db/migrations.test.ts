import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '#server/db/migrations/migrate.ts'
import { readMigrations } from '#server/db/migrations/migration-history.ts'
import { createPool } from '#server/db/pool.ts'
import { StartupError } from '#server/errors/operator-errors.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
  waitForLocks,
} from '#tests/support/database.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'

const own = await readMigrations(join(PACKAGE_ROOT, 'server/db/auth-schema'))
const shared = await readMigrations(join(PACKAGE_ROOT, 'supabase/migrations'))

/** The first migration that limits what an account can hold. */
const QUOTA = '20261122000100'
/** The last migration of version 0.2.0. */
const LAST_WITHOUT_LIMITED_DATES = '20261122131000'
const ADD_CATEGORIES = `
  insert into public.categories (user_id, name, "order") select $1, 'C' || n, n from generate_series(1, $2) as n`

let database: TestDatabase
afterEach(() => database.drop())

interface Recorded {
  version: string
  name: string
  statements: string[]
}

async function recorded(): Promise<Recorded[]> {
  const { rows } = await database.pool.query<Recorded>(
    'select version, name, statements from supabase_migrations.schema_migrations order by version',
  )
  return rows
}

describe('migrating an empty database', () => {
  beforeEach(async () => {
    database = await createEmptyDatabase()
  })

  it('applies every file once when several servers start at the same time', async () => {
    const servers = Array.from({ length: 4 }, () => createPool({ url: database.url, max: 2 }))
    const applied = await Promise.all(servers.map((pool) => migrate(pool, PACKAGE_ROOT)))
    await Promise.all(servers.map((pool) => pool.end()))
    // One server applies a file, and the next may be another one.
    expect(applied.flat().toSorted()).toEqual([...own, ...shared].map(({ fileName }) => fileName).toSorted())
    expect(await recorded()).toHaveLength(shared.length)
  })

  it('rejects the database of a Supabase project, which has other accounts', async () => {
    await database.pool.query('create schema auth; create table auth.users (id uuid)')
    await expect(migrate(database.pool, PACKAGE_ROOT)).rejects.toThrow('"auth" schema that is not Intercede')
    const { rows } = await database.pool.query(`select to_regclass('auth.identities') as identities`)
    expect(rows).toEqual([{ identities: null }])
  })
})

describe('migrating a current database', () => {
  beforeEach(async () => {
    database = await createTestDatabase()
  })

  it('does nothing, also with a history written by the Supabase CLI, which stores single statements', async () => {
    // The application’s files are in the table of the Supabase CLI, and the server’s in another.
    expect(await recorded()).toEqual(
      shared.map(({ version, name, sql }) => ({ version, name, statements: [sql] })),
    )
    const { rows } = await database.pool.query('select name from auth.schema_migrations order by version')
    expect(rows).toEqual(own.map(({ name }) => ({ name })))
    expect(await migrate(database.pool, PACKAGE_ROOT)).toEqual([])
    await database.pool.query(`
      update supabase_migrations.schema_migrations
      set statements = array(select btrim(part, E' \\n') from unnest(string_to_array(statements[1], ';')) as part)`)
    expect((await recorded())[0]?.statements.length).toBeGreaterThan(10)
    expect(await migrate(database.pool, PACKAGE_ROOT)).toEqual([])
  })

  it('grants rights while no other server does, because PostgreSQL rejects one of two such changes', async () => {
    const holder = await database.pool.connect()
    await holder.query('begin; grant usage on schema intercede to intercede_data')
    const migrating = migrate(database.pool, PACKAGE_ROOT)
    await waitForLocks(database.pool, 1)
    const { rowCount } = await database.pool.query(
      `select from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    await holder.query('rollback')
    holder.release()
    await migrating
    expect(rowCount).toBe(1)
  })

  it.each([
    [
      'an applied migration that was edited',
      `update supabase_migrations.schema_migrations set statements = array['create table other ()']
       where version = '20260101000100'`,
      '20260101000100_create_prayers.sql was edited',
    ],
    [
      'a migration without a file',
      `insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'add_wings')`,
      'has the migration 29990101000000_add_wings, which this version of Intercede does not know',
    ],
  ])('rejects %s, with its name', async (_what, change, message) => {
    await database.pool.query(change)
    const attempt = migrate(database.pool, PACKAGE_ROOT)
    await expect(attempt).rejects.toThrow(StartupError)
    await expect(attempt).rejects.toThrow(message)
  })
})

describe('migrating with other files', () => {
  let root: string

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'intercede-migrations-'))
    for (const folder of ['server/db/auth-schema', 'supabase/migrations']) {
      await cp(join(PACKAGE_ROOT, folder), join(root, folder), { recursive: true })
    }
  })
  afterEach(() => rm(root, { recursive: true }))

  it('applies them in order, keeps all that an account above the quota has, and lets it only shrink', async () => {
    for (const { version, fileName } of shared)
      if (version >= QUOTA) await rm(join(root, 'supabase/migrations', fileName))
    database = await createEmptyDatabase()
    const { pool } = database
    const earlier = [...own, ...shared.filter(({ version }) => version < QUOTA)]
    expect(await migrate(pool, root)).toEqual(earlier.map(({ fileName }) => fileName))
    await addUsers(pool)
    await pool.query(ADD_CATEGORIES, [ANNA, 502])
    await migrate(pool, PACKAGE_ROOT)
    await expect(pool.query(ADD_CATEGORIES, [ANNA, 1])).rejects.toMatchObject({ code: 'PT413' })
    await pool.query(`delete from public.categories where "order" = 1`)
    const { rows } = await pool.query(
      `select count(*)::integer as stored, max(u.categories) as counted
       from public.categories c join private.account_usage u using (user_id)`,
    )
    expect(rows).toEqual([{ stored: 501, counted: 501 }])
  })

  it('moves dates and times to the nearest limit, and counts prayed days that become one as one', async () => {
    for (const { version, fileName } of shared)
      if (version > LAST_WITHOUT_LIMITED_DATES) await rm(join(root, 'supabase/migrations', fileName))
    database = await createEmptyDatabase()
    const { pool } = database
    await migrate(pool, root)
    await addUsers(pool)
    await pool.query(`
      with category as (
        insert into public.categories (user_id, name, "order", created_at, updated_at)
        values ('${ANNA}', 'Family', 1, '-infinity', 'infinity') returning id
      ), prayer as (
        insert into public.prayers (user_id, category_id, person_name, resolved, created_at, due_on, resting_until, answered_on,
          last_prayed_on, times_prayed)
        select '${ANNA}', id, 'Ruth', true, '0044-03-15 BC', '0026-03-02', '9999-12-31', '2999-01-01', '2026-03-02', 3
        from category returning id
      ), days as (
        insert into public.prayed_days (prayer_id, user_id, day)
        select id, '${ANNA}', day from prayer, unnest('{0001-01-01,0026-03-02,2026-03-02}'::date[]) as day
      )
      insert into public.prayer_updates (user_id, prayer_id, body, created_at)
      select '${ANNA}', id, 'x', '1899-12-31Z' from prayer`)
    await pool.query(`update public.categories set created_at = 'infinity'`)
    await migrate(pool, PACKAGE_ROOT)
    const { rows } = await pool.query<object>(`
      select p.created_at = '1900-01-01Z' as created, due_on::text, resting_until::text, p.answered_on - current_date < 2 as answered,
        last_prayed_on::text, times_prayed, u.created_at = '1900-01-01Z' as updated,
        c.created_at between now() - interval '1 hour' and now() as category, array(select day::text from public.prayed_days order by 1) as days
      from public.prayers p join public.prayer_updates u on u.prayer_id = p.id join public.categories c on c.id = p.category_id`)
    expect(rows).toEqual([
      {
        created: true,
        due_on: '1900-01-01',
        resting_until: '2199-12-31',
        answered: true,
        last_prayed_on: '2026-03-02',
        times_prayed: 2,
        updated: true,
        category: true,
        days: ['1900-01-01', '2026-03-02'],
      },
    ])
  })

  it('rolls back a file that fails, and applies it once it is corrected', async () => {
    database = await createTestDatabase()
    const file = join(root, 'supabase/migrations/20270101000000_add_tags.sql')
    await writeFile(file, 'create table public.tags (id int); create table public.tags (id int);')
    const attempt = migrate(database.pool, root)
    await expect(attempt).rejects.toThrow('20270101000000_add_tags.sql failed, and nothing of it was applied')
    const { rows } = await database.pool.query(`select to_regclass('public.tags') as tags`)
    expect(rows).toEqual([{ tags: null }])
    await writeFile(file, 'create table public.tags (id int);')
    expect(await migrate(database.pool, root)).toEqual(['20270101000000_add_tags.sql'])
  })

  it('rejects an invalid file name before anything is applied', async () => {
    database = await createTestDatabase()
    await writeFile(join(root, 'supabase/migrations/1_add_tags.sql'), 'create table public.tags (id int);')
    await expect(migrate(database.pool, root)).rejects.toThrow('1_add_tags.sql is not')
  })
})

describe('a role that is not a superuser', () => {
  beforeEach(async () => {
    database = await createEmptyDatabase()
  })

  const name = `intercede_tenant_${String(process.pid)}`

  async function asTenant<Value>(work: (url: string) => Promise<Value>): Promise<Value> {
    await database.pool.query(`create role ${name} login password 'secret'; grant ${name} to current_user`)
    const url = new URL(database.url)
    url.searchParams.set('user', name)
    url.searchParams.set('password', 'secret')
    try {
      return await work(url.href)
    } finally {
      await database.pool.query(
        `reassign owned by ${name} to current_user; drop owned by ${name}; drop role ${name}`,
      )
    }
  }

  async function migrateAs(url: string): Promise<string[]> {
    const pool = createPool({ url, max: 1 })
    try {
      return await migrate(pool, PACKAGE_ROOT)
    } finally {
      await pool.end()
    }
  }

  it('has to be the owner of the database', async () => {
    await asTenant(async (url) => {
      await expect(migrateAs(url)).rejects.toThrow("make it the database's owner")
    })
  })

  it('needs the roles of requests if it cannot create them, and can then migrate', async () => {
    await asTenant(async (url) => {
      const { rows } = await database.pool.query<{ name: string }>(
        'select quote_ident(current_database()) as name',
      )
      await database.pool.query(`alter database ${rows[0]?.name ?? ''} owner to ${name}`)
      await expect(migrateAs(url)).rejects.toThrow(
        `run GRANT anon, authenticated, intercede_data TO "${name}"`,
      )
      await database.pool.query(`grant anon, authenticated, intercede_data to ${name}`)
      expect(await migrateAs(url)).toHaveLength(own.length + shared.length)
    })
  })
})
