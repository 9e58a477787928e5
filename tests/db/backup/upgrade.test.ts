import { copyFile, cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { networkHash } from '#server/auth/password-attempts.ts'
import { withConnection } from '#server/backup/connect.ts'
import { loadBackup, restore } from '#server/backup/restore.ts'
import { backUp } from '#server/backup/write-backup.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { APP_FOLDER, AUTH_FOLDER, migrate } from '#server/db/migrations/migrate.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { PASSWORD, refresh, sessionOf, signIn } from '#tests/contract/auth/auth-client.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type DataServer, send } from '#tests/support/data-requests.ts'
import { readAllRows } from '#tests/support/all-rows.ts'
import { expectNoProcess, startIntercede } from '#tests/support/intercede-process.ts'
import { startTestServer } from '#tests/support/server.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'

/** A backup made by the first release, with data of Anna and Ben. Must never be regenerated. */
const FIRST_RELEASE = join(PACKAGE_ROOT, 'tests', 'fixtures', 'first-release.sql')
const FIRST_MIGRATIONS = 8
/** What `20261122000100_create_account_quota.sql` was before it was edited, and the last migration of that time. */
const FORMER_QUOTA = join(PACKAGE_ROOT, 'tests', 'fixtures', 'former-account-quota.sql')
const LAST_BEFORE_EDIT = '20261122110000'
/** The last migration of the second release, 0.2.0. */
const LAST_OF_SECOND_RELEASE = '20261122131000'

const uninterrupted = new AbortController().signal

let folder: string
let file: string

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'intercede-upgrade-')))
  file = join(folder, 'first-release.sql.gz')
  await writeFile(file, gzipSync(await readFile(FIRST_RELEASE)))
})
afterEach(() => rm(folder, { recursive: true }))

/** Signs Anna in with her password; resolves to her prayers, sorted by name. */
async function annasPrayers(server: DataServer): Promise<unknown> {
  const { access_token: token } = sessionOf(await signIn(server, 'anna@example.org', PASSWORD))
  const response = await send(server, '/prayers?select=person_name,note,resolved&order=person_name', {
    token,
  })
  return response.json()
}

const ANNAS_PRAYERS = [
  { person_name: 'Jürgen', note: null, resolved: true },
  { person_name: 'Paul', note: String.raw`C:\path`, resolved: false },
  { person_name: 'Ruth', note: 'Line one\nline two\twith a tab', resolved: false },
]

async function columnsOf({ pool }: TestDatabase): Promise<object[]> {
  const { rows } = await pool.query<object>(`
    select table_schema, table_name, column_name, data_type, is_nullable, column_default
    from information_schema.columns
    where table_schema in ('auth', 'intercede', 'private', 'public') order by 1, 2, 3`)
  return rows
}

/** Matches rows with additional columns, but not with missing or changed ones. */
function withNewColumns(rows: readonly string[]): unknown[] {
  return rows.map((row): unknown => expect.objectContaining(Object(JSON.parse(row))))
}

it('migrates a database of the first release to the current schema, and keeps every row', async () => {
  const database = await createEmptyDatabase()
  const contents = await withConnection(database.url, (client) =>
    loadBackup(client, { file, packageRoot: PACKAGE_ROOT, signal: uninterrupted, keepSessions: true }),
  )
  expect(contents.header.schema.auth.length + contents.header.schema.app.length).toBe(FIRST_MIGRATIONS)
  const before = await readAllRows(database.pool)
  expect(before['public.prayers']).toHaveLength(6)

  const all = [...(await migrationsOf(database)), ...(await migrate(database.pool, PACKAGE_ROOT))]
  const after = await readAllRows(database.pool)
  for (const [table, rows] of Object.entries(before)) {
    const now = after[table]?.map((row): unknown => JSON.parse(row)) ?? []
    expect(now, table).toEqual(expect.arrayContaining(withNewColumns(rows)))
    expect(now, table).toHaveLength(rows.length)
  }
  const { rows: known } = await database.pool.query<{ user_id: string; network_hash: string }>(
    'select user_id, network_hash from intercede.known_networks',
  )
  expect(known).toHaveLength(2)
  for (const { user_id: id, network_hash: hash } of known) expect(hash).toBe(networkHash(id, '127.0.0.1'))
  const { rows: changes } = await database.pool.query(`
    select s.rev::integer, s.floor::integer,
           (select array_agg(distinct rev)::integer[] from public.categories where user_id = s.user_id) as categories,
           (select array_agg(distinct rev)::integer[] from public.prayers where user_id = s.user_id) as prayers
    from public.sync_state s`)
  const numbered = { rev: 1, floor: 0, categories: [1], prayers: [1] }
  expect(changes).toEqual([numbered, numbered])
  const present = await createTestDatabase()
  expect(await columnsOf(database)).toEqual(await columnsOf(present))
  expect(await migrationsOf(present)).toHaveLength(all.length)
  await present.drop()

  const server = await startTestServer({ database, now: '2026-03-20T09:00:00.000Z' })
  expect(await annasPrayers(server)).toEqual(ANNAS_PRAYERS)
  await server.close()
})

async function migrationsOf({ pool }: TestDatabase): Promise<object[]> {
  const { rows } = await pool.query<object>(`
    select version, name from auth.schema_migrations
    union all select version, name from supabase_migrations.schema_migrations`)
  return rows
}

it('restores and migrates a backup of the first release, whose users remain signed in', async () => {
  const database = await createEmptyDatabase()
  await restore({
    location: { databaseUrl: database.url, dataDir: folder },
    file,
    packageRoot: PACKAGE_ROOT,
    signal: uninterrupted,
    keepSessions: true,
  })
  const { rows } = await database.pool.query<{ token: string }>(
    'select token from auth.refresh_tokens order by id',
  )
  const server = await startTestServer({ database, now: '2026-03-20T09:00:00.000Z' })
  expect(rows).toHaveLength(2)
  expect((await refresh(server, rows[0]?.token ?? '')).status).toBe(200)
  expect(await annasPrayers(server)).toEqual(ANNAS_PRAYERS)
  await server.close()
})

it('keeps the newest of several valid refresh tokens that an older version issued to a session', async () => {
  const database = await createEmptyDatabase()
  await withConnection(database.url, (client) =>
    loadBackup(client, { file, packageRoot: PACKAGE_ROOT, signal: uninterrupted, keepSessions: true }),
  )
  const { rows: older } = await database.pool.query<{ token: string }>(
    `with newer as (
       insert into auth.refresh_tokens (token, user_id, revoked, session_id)
       select 'abcdefghijkl', user_id, false, session_id from auth.refresh_tokens limit 1
       returning session_id
     ) select t.token from auth.refresh_tokens t join newer using (session_id) where not t.revoked`,
  )
  await migrate(database.pool, PACKAGE_ROOT)
  const server = await startTestServer({ database, now: '2026-03-20T09:00:00.000Z' })
  expect((await refresh(server, 'abcdefghijkl')).status).toBe(200)
  expect(older).toHaveLength(1)
  expect((await refresh(server, older[0]?.token ?? '')).status).toBe(400)
  await server.close()
})

it('starts with a data folder of the first release', async () => {
  const dataDir = join(folder, 'data')
  const embedded = await startEmbeddedPostgres({ dataDir })
  await withConnection(embedded.url, (client) =>
    loadBackup(client, { file, packageRoot: PACKAGE_ROOT, signal: uninterrupted }),
  )
  await embedded.stop()
  const server = await startIntercede({ DATA_DIR: dataDir })
  const anonKey = await withConnection(
    `postgresql:///intercede?host=${dataDir}/socket&user=intercede`,
    async (client) => {
      const { rows } = await client.query<{ value: string }>(
        `select value from intercede.settings where name like 'anon_key %'`,
      )
      return rows[0]?.value ?? ''
    },
  )
  const site = { url: await server.ready, services: { keys: { anonKey } } }
  expect(await annasPrayers(site)).toEqual(ANNAS_PRAYERS)
  expect(await server.end('SIGTERM')).toBe(0)
  await expectNoProcess(dataDir)
})

/** The name of each function of the schema, and its body. */
async function functionsOf({ pool }: TestDatabase): Promise<object[]> {
  const { rows } = await pool.query<object>(`
    select oid::regprocedure::text as name, prosrc as body, proacl::text as rights from pg_proc
    where pronamespace in ('auth'::regnamespace, 'intercede'::regnamespace, 'private'::regnamespace, 'public'::regnamespace)
    order by 1`)
  return rows
}

/** Anna's recorded usage, and the bytes that her texts take in an export. */
async function usageOf({ pool }: TestDatabase): Promise<unknown> {
  const { rows } = await pool.query(`
    select u.categories, u.prayers, u.text_bytes::integer as recorded,
           (select sum(octet_length(to_json(c.name)::text)) from public.categories c)::integer
             + (select sum(octet_length(to_json(p.person_name)::text) + coalesce(octet_length(to_json(p.note)::text), 0))
                from public.prayers p)::integer as exported
    from private.account_usage u where u.user_id = '${ANNA}'`)
  return rows[0]
}

const ADD_TEXTS = `
  with added as (
    insert into public.categories (user_id, name, "order") values ('${ANNA}', 'Family "and" friends', 1) returning id
  )
  insert into public.prayers (user_id, category_id, person_name, note)
  select '${ANNA}', added.id, 'Ruth', note from added, (values (null), (E'a\\nb\\x01')) as texts (note)`

/** A package folder with the migrations up to the version. */
async function packageOf(lastVersion: string): Promise<string> {
  const root = join(folder, lastVersion)
  await cp(join(PACKAGE_ROOT, AUTH_FOLDER), join(root, AUTH_FOLDER), { recursive: true })
  await cp(join(PACKAGE_ROOT, APP_FOLDER), join(root, APP_FOLDER), { recursive: true })
  for (const name of await readdir(join(root, APP_FOLDER)))
    if (name.slice(0, lastVersion.length) > lastVersion) await rm(join(root, APP_FOLDER, name))
  return root
}

/** A database with texts of Anna. */
async function createFrom(root: string): Promise<TestDatabase> {
  const database = await createEmptyDatabase()
  await migrate(database.pool, root)
  await addUsers(database.pool)
  await database.pool.query(ADD_TEXTS)
  return database
}

/** The same, to which the quota's migration was applied before it was edited. */
async function createBeforeEdit(): Promise<TestDatabase> {
  const root = await packageOf(LAST_BEFORE_EDIT)
  await copyFile(FORMER_QUOTA, join(root, APP_FOLDER, '20261122000100_create_account_quota.sql'))
  return createFrom(root)
}

async function restoreFrom(source: TestDatabase): Promise<TestDatabase> {
  const target = await createEmptyDatabase()
  const backup = join(folder, 'earlier.sql.gz')
  const now = new Date('2026-03-20T09:00:00.000Z')
  await backUp({ url: source.url, file: backup, now, signal: uninterrupted })
  const location = { databaseUrl: target.url, dataDir: folder }
  await restore({ location, file: backup, packageRoot: PACKAGE_ROOT, signal: uninterrupted })
  return target
}

it('migrates a database that had a migration before it was edited to the current schema', async () => {
  const database = await createBeforeEdit()
  expect(await usageOf(database)).toEqual({ categories: 1, prayers: 2, recorded: 32, exported: 48 })
  await migrate(database.pool, PACKAGE_ROOT)
  expect(await usageOf(database)).toEqual({ categories: 1, prayers: 2, recorded: 48, exported: 48 })
  await database.pool.query(ADD_TEXTS)
  expect(await usageOf(database)).toEqual({ categories: 2, prayers: 4, recorded: 96, exported: 96 })

  const present = await createTestDatabase()
  expect(await columnsOf(database)).toEqual(await columnsOf(present))
  expect(await functionsOf(database)).toEqual(await functionsOf(present))
  await present.drop()
  await database.drop()
})

it('restores a backup of a database that had a migration before it was edited', async () => {
  const source = await createBeforeEdit()
  const target = await restoreFrom(source)
  expect(await usageOf(target)).toEqual({ categories: 1, prayers: 2, recorded: 48, exported: 48 })
  await source.drop()
  await target.drop()
})

it('begins a new epoch with a backup from before restores were recorded', async () => {
  const stateIn = async ({ pool }: TestDatabase) =>
    (await pool.query<{ rev: number; epoch: string }>('select rev::float8, epoch from public.sync_state'))
      .rows[0]
  const source = await createFrom(await packageOf(LAST_OF_SECOND_RELEASE))
  await source.pool.query(`delete from public.prayers where note is null`)
  const before = await stateIn(source)
  const target = await restoreFrom(source)
  const after = await stateIn(target)
  expect(after?.epoch).not.toBe(before?.epoch)
  expect(after?.rev).toBeGreaterThan(before?.rev ?? Infinity)
  const { rows } = await target.pool.query(
    'select restores, row_rev = d.rev as known from public.sync_state, public.deletions d',
  )
  expect(rows).toEqual([{ restores: [], known: true }])
  await source.drop()
  await target.drop()
})
