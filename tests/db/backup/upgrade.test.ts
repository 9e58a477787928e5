import { cp, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
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
import { readAllRows, readKeptRows } from '#tests/support/all-rows.ts'
import { expectNoProcess, startIntercede } from '#tests/support/intercede-process.ts'
import { startTestServer } from '#tests/support/server.ts'
import { addFactor, addUsers, ANNA } from '#tests/support/users.ts'

/** A backup made by the first release, with data of Anna and Ben. Must never be regenerated. */
const FIRST_RELEASE = join(PACKAGE_ROOT, 'tests', 'fixtures', 'first-release.sql')
const FIRST_MIGRATIONS = 8
/** The last migrations of the second release, 0.2.0, and of the third, 0.3.0. */
const LAST_OF_SECOND_RELEASE = '20261122131000'
const LAST_OF_THIRD_RELEASE = '20261124171200'

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

/** A package folder with the migrations up to one of them. */
async function packageUntil(last: string): Promise<string> {
  const root = join(folder, 'package')
  for (const migrations of [AUTH_FOLDER, APP_FOLDER]) {
    await cp(join(PACKAGE_ROOT, migrations), join(root, migrations), { recursive: true })
    for (const name of await readdir(join(root, migrations)))
      if (name.slice(0, 14) > last) await rm(join(root, migrations, name))
  }
  return root
}

it('begins a new epoch with a backup of the second release, which did not record restores', async () => {
  const stateIn = async ({ pool }: TestDatabase) =>
    (await pool.query<{ rev: number; epoch: string }>('select rev::float8, epoch from public.sync_state'))
      .rows[0]
  const source = await createEmptyDatabase()
  await migrate(source.pool, await packageUntil(LAST_OF_SECOND_RELEASE))
  await addUsers(source.pool)
  await source.pool.query(`
    with category as (
      insert into public.categories (user_id, name, "order") values ('${ANNA}', 'Family', 1) returning id
    )
    insert into public.prayers (user_id, category_id, person_name)
    select '${ANNA}', id, unnest('{Ruth,Paul}'::text[]) from category`)
  await source.pool.query(`delete from public.prayers where person_name = 'Paul'`)
  const before = await stateIn(source)
  const backup = join(folder, 'second-release.sql.gz')
  const now = new Date('2026-03-20T09:00:00.000Z')
  await backUp({ url: source.url, file: backup, now, signal: uninterrupted })

  const target = await createEmptyDatabase()
  const location = { databaseUrl: target.url, dataDir: folder }
  await restore({ location, file: backup, packageRoot: PACKAGE_ROOT, signal: uninterrupted })
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

it('restores and migrates a backup of the third release, and keeps every row', async () => {
  const source = await createEmptyDatabase()
  await migrate(source.pool, await packageUntil(LAST_OF_THIRD_RELEASE))
  await addUsers(source.pool)
  await addFactor(source.pool, ANNA)
  await source.pool.query(`
    with session as (
      insert into auth.sessions (id, user_id, aal) values (gen_random_uuid(), '${ANNA}', 'aal2') returning id
    ), token as (
      insert into auth.refresh_tokens (token, user_id, revoked, session_id)
      select 'abcdefghijkl', '${ANNA}', false, id from session
    ), reminder as (
      insert into public.reminders (user_id, remind_at, weekdays, time_zone, by_email)
      values ('${ANNA}', '07:00', 127, 'Europe/Berlin', true)
    ), category as (
      insert into public.categories (user_id, name, "order", pray_days) values ('${ANNA}', 'Family', 1, 9) returning id
    )
    insert into public.prayers (user_id, category_id, person_name, note, resolved, answered_on, answer)
    select '${ANNA}', id, 'Ruth', 'Peace', true, '2026-03-01', 'She has work.' from category`)
  await source.pool.query(`
    with days as (
      insert into public.prayed_days (user_id, prayer_id, day) select '${ANNA}', id, '2026-03-01' from public.prayers
    )
    insert into public.prayer_updates (user_id, prayer_id, body) select '${ANNA}', id, 'An interview' from public.prayers`)
  const before = await readKeptRows(source.pool)
  const backup = join(folder, 'third-release.sql.gz')
  const now = new Date('2026-03-20T09:00:00.000Z')
  await backUp({ url: source.url, file: backup, now, signal: uninterrupted })

  const target = await createEmptyDatabase()
  const location = { databaseUrl: target.url, dataDir: folder }
  await restore({
    location,
    file: backup,
    packageRoot: PACKAGE_ROOT,
    signal: uninterrupted,
    keepSessions: true,
  })
  const after = await readKeptRows(target.pool)
  for (const [table, rows] of Object.entries(before)) {
    if (table.endsWith('schema_migrations')) continue
    const kept = after[table]?.map((row): unknown => JSON.parse(row))
    expect(kept, table).toEqual(withNewColumns(rows))
  }
  const present = await createTestDatabase()
  expect(await columnsOf(target)).toEqual(await columnsOf(present))
  for (const database of [source, target, present]) await database.drop()
})
