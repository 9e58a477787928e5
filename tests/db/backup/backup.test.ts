import { once } from 'node:events'
import { access, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storeNewServiceKey } from '#server/auth/service-key.ts'
import { type DatabaseLocation, withConnection } from '#server/backup/connect.ts'
import { restore } from '#server/backup/restore.ts'
import { readStoredTables } from '#server/backup/stored-schema.ts'
import { backUp, writeBackup } from '#server/backup/write-backup.ts'
import { findFreePort } from '#server/db/free-port.ts'
import { LOCK, migrate } from '#server/db/migrations/migrate.ts'
import { BackupError } from '#server/errors/operator-errors.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
  waitForLocks,
} from '#tests/support/database.ts'
import { readKeptRows } from '#tests/support/all-rows.ts'
import { addFactor, addUsers, ANNA } from '#tests/support/users.ts'

const NOW = new Date('2026-03-01T09:00:00.000Z')

let folder: string
let file: string
let source: TestDatabase
let target: TestDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intercede-backup-'))
  file = join(folder, 'backup.sql.gz')
  source = await createTestDatabase()
  target = await createEmptyDatabase()
})

afterEach(async () => {
  await source.drop()
  await target.drop()
  await rm(folder, { recursive: true })
})

function backUpFrom(url: string, signal = new AbortController().signal) {
  return backUp({ url, file, now: NOW, signal })
}

interface Options {
  signal?: AbortSignal
  keepSessions?: boolean
}

function restoreInto(url: string, options?: Options) {
  return restoreAt({ databaseUrl: url, dataDir: folder }, options)
}

function restoreAt(location: DatabaseLocation, options?: Options) {
  const { signal } = new AbortController()
  return restore({ location, file, packageRoot: PACKAGE_ROOT, signal, ...options })
}

/** Separators, escapes, lines that look like the end, non-Latin characters, the empty string and null. */
const NOTES = [
  'a tab\there, a line\nbreak, a return\r\n, a \\ backslash, a \\. and a \\N',
  String.raw`\.`,
  '\n\\.\n',
  'Gebet für Jürgen — 祈り 🙏🏽 \u200d',
  '"quoted", \'single\', ; drop table public.prayers; --',
  '',
  null,
]

/** More than one chunk of a backup holds. */
const MANY_ACCOUNTS = `
  insert into auth.users (id, email, raw_user_meta_data)
  select gen_random_uuid(), n || '@example.org', jsonb_build_object('fill', repeat('x', 500))
  from generate_series(1, 2000) n`

async function fill({ pool }: TestDatabase): Promise<void> {
  await addUsers(pool)
  await pool.query(
    `insert into public.categories (user_id, name, "order", created_at)
     select $1, 'Category ' || n, n, '2026-01-01 00:00:00.123457+00' from generate_series(1, 20) n`,
    [ANNA],
  )
  for (const note of NOTES) {
    await pool.query(
      `insert into public.prayers (user_id, category_id, person_name, note)
       select $1, id, 'Somebody', $2 from public.categories`,
      [ANNA, note],
    )
  }
  await pool.query(
    `insert into auth.sessions (id, user_id, created_at, refreshed_at, user_agent, ip)
     values ('00000000-0000-4000-8000-0000000000ff', $1, now(), 'infinity', 'agent', '2001:db8::1')`,
    [ANNA],
  )
  await pool.query(
    `insert into auth.refresh_tokens (token, user_id, revoked, session_id)
     select 'token ' || n, $1::text, n < 7, '00000000-0000-4000-8000-0000000000ff' from generate_series(1, 7) n`,
    [ANNA],
  )
  await pool.query(`update auth.users set raw_user_meta_data = '{"a": [1.50, null, "\\t"]}' where id = $1`, [
    ANNA,
  ])
  await pool.query(
    `with identity as (
       insert into auth.identities (provider_id, user_id, identity_data, provider)
       values ('1', $1, '{"email": "Anna@example.org"}', 'x') returning id
     )
     insert into intercede.pictures (identity_id, source, media_type, content, fetched_at)
     select id, 'https://pbs.twimg.com/a.png', 'image/png', $2, now() from identity`,
    [ANNA, Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  )
  await addFactor(pool, ANNA)
  await pool.query(
    `insert into intercede.used_codes (factor_id, time_step) select id, 1 from auth.mfa_factors`,
  )
  await pool.query(`insert into intercede.recovery_codes (user_id, code_hash) values ($1, '\\x00ff')`, [ANNA])
  await pool.query(
    `with reminder as (
       insert into public.reminders (user_id, remind_at, weekdays, time_zone, by_push)
       values ($1, '23:30', 127, 'Pacific/Auckland', true) returning id
     ), subscription as (
       insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
       values ($1, '00000000-0000-4000-8000-0000000000ff', 'https://fcm.googleapis.com/x', 'key', 'secret', now()) returning id
     )
     insert into private.reminder_deliveries (reminder_id, subscription_id, due_at, day, try_at)
     select reminder.id, target.id, now(), now(), now() from reminder
     cross join (select id from subscription union all select null) as target`,
    [ANNA],
  )
  await pool.query(`insert into intercede.settings (name, value) values ('jwt_secret', 'kept')`)
  await pool.query(`insert into intercede.rate_limits values ('key', 1, now())`)
}

describe('a backup', () => {
  it('restores every row unchanged, except for the state of the synchronisation', async () => {
    await fill(source)
    await source.pool.query(`delete from public.prayers where note = ''`)
    const { contents } = await backUpFrom(source.url)
    expect(await restoreInto(target.url, { keepSessions: true })).toEqual({ contents, migrated: [] })
    const restored = await readKeptRows(target.pool)
    expect(restored).toEqual(await readKeptRows(source.pool))
    expect(restored['public.deletions']).toHaveLength(20)
    expect(restored['public.prayers']).toHaveLength(20 * (NOTES.length - 1))
    expect(restored['auth.users']?.join()).toContain('[1.50, null, ')
  })

  it('ends all sessions and the service key when it is restored, unless asked not to, and lists no session as ended on purpose', async () => {
    await fill(source)
    await storeNewServiceKey(source.pool)
    await backUpFrom(source.url)
    await restoreInto(target.url)
    const ending = [
      'auth.sessions',
      'auth.refresh_tokens',
      'private.push_subscriptions',
      'private.reminder_deliveries',
    ]
    const before = await readKeptRows(source.pool)
    const after = await readKeptRows(target.pool)
    for (const table of ending) {
      expect(after[table], table).toEqual([])
      delete before[table]
      delete after[table]
    }
    const settings = before['intercede.settings'] ?? []
    const kept = settings.filter((row) => !row.includes('service_key'))
    expect(kept).toHaveLength(settings.length - 1)
    expect(after).toEqual({ ...before, 'intercede.settings': kept })
    expect(after['intercede.ended_sessions']).toEqual([])
  })

  it('restores the schema with its history, triggers and policies, and sequences continue', async () => {
    await fill(source)
    await backUpFrom(source.url)
    await restoreInto(target.url)
    const schemaOf = async ({ pool }: TestDatabase) => [
      (await pool.query('select version, name, statements from auth.schema_migrations order by 1')).rows,
      (
        await pool.query(
          'select version, name, statements from supabase_migrations.schema_migrations order by 1',
        )
      ).rows,
      (await pool.query('select tgname, tgenabled from pg_trigger where not tgisinternal order by 1')).rows,
      (
        await pool.query(
          'select schemaname, tablename, policyname, qual, with_check from pg_policies order by 1, 2, 3',
        )
      ).rows,
      (
        await pool.query(`select relname, relrowsecurity, relacl::text from pg_class
                         where relnamespace in ('public'::regnamespace, 'auth'::regnamespace) order by 1`)
      ).rows,
    ]
    expect(await schemaOf(target)).toEqual(await schemaOf(source))
    const { rows } = await target.pool.query(
      "insert into auth.refresh_tokens (token) values ('next') returning id",
    )
    expect(rows).toEqual([{ id: '8' }])
  })

  it('contains the data of one moment, whatever is written in the meantime', async () => {
    await source.pool.query(MANY_ACCOUNTS)
    await addUsers(source.pool)
    const before = await readKeptRows(source.pool)
    const text: Buffer[] = []
    await withConnection(source.url, async (client) => {
      for await (const chunk of writeBackup(client, NOW)) {
        // The first chunk ends within the accounts. This changes earlier rows and later tables.
        if (text.length === 0) await changeMeanwhile()
        text.push(chunk)
      }
    })
    expect(text.length).toBeGreaterThan(2)
    await writeFile(file, gzipSync(Buffer.concat(text)))
    await restoreInto(target.url)
    expect(await readKeptRows(target.pool)).toEqual(before)
  })

  async function changeMeanwhile(): Promise<void> {
    await source.pool.query(
      `insert into public.categories (user_id, name, "order") values ($1, 'Later', 1)`,
      [ANNA],
    )
    await source.pool.query(`update auth.users set email = 'later@example.org' where id = $1`, [ANNA])
    await source.pool.query(`delete from auth.users where email = '2000@example.org'`)
  }

  it('contains all tables except the history and unlogged ones', async () => {
    const client = await source.pool.connect()
    const stored = await readStoredTables(client)
    client.release()
    const { rows } = await source.pool.query<{ name: string }>(`
      select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind not in ('i', 'S', 't', 'c', 'v') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      order by 1`)
    const missing = rows
      .map(({ name }) => name)
      .filter((name) => !stored.some((t) => name === `${t.schema}.${t.name}`))
    expect(missing).toEqual([
      'auth.schema_migrations',
      'intercede.rate_limits',
      'supabase_migrations.schema_migrations',
    ])
    const position = (name: string) => stored.findIndex((table) => table.name === name)
    expect(position('users')).toBeLessThan(position('categories'))
    expect(position('categories')).toBeLessThan(position('prayers'))
  })

  it('is a private file that psql can read', async () => {
    await fill(source)
    await backUpFrom(source.url)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['backup.sql.gz'])
    const text = gunzipSync(await readFile(file)).toString()
    expect(text).toContain('\nCOPY "public"."prayers" ("id", "user_id", "category_id",')
    expect(text).toContain(`\nSELECT pg_catalog.setval('"auth"."refresh_tokens_id_seq"', 7, true);\n`)
  })

  it('never overwrites a file, and leaves none when it fails or is interrupted', async () => {
    await writeFile(file, 'precious')
    await expect(backUpFrom(source.url)).rejects.toThrow('exists already: choose another name')
    expect(await readFile(file, 'utf8')).toBe('precious')
    await rm(file)
    await expect(backUpFrom(target.url)).rejects.toThrow('The database contains no data of Intercede')
    await expect(backUpFrom(source.url, AbortSignal.abort())).rejects.toThrow('The backup was interrupted')
    expect(await readdir(folder)).toEqual([])
    file = join(folder, 'missing', 'backup.sql.gz')
    await expect(backUpFrom(source.url)).rejects.toThrow("can't be written")
  })

  it.each([
    [
      'no server is listening',
      'postgresql://127.0.0.1:1/x',
      "The database can't be reached: connect ECONNREFUSED",
    ],
    [
      'the host has no address',
      'postgresql://intercede.invalid/x',
      "The database can't be reached: getaddrinfo",
    ],
  ])('and a restore report in a sentence that %s', async (_where, url, reason) => {
    await expect(backUpFrom(url)).rejects.toThrow(reason)
    await backUpFrom(source.url)
    await expect(restoreInto(url)).rejects.toThrow(reason)
  })

  it('reports in a sentence that the URL requires TLS and the database does not support it', async () => {
    const port = await findFreePort('127.0.0.1')
    const withoutTls = createServer((socket) => socket.end('N')).listen(port, '127.0.0.1')
    await once(withoutTls, 'listening')
    const attempt = backUpFrom(`postgresql://127.0.0.1:${String(port)}/x?sslmode=verify-full`)
    await expect(attempt).rejects.toThrow(/^The database can't be reached: .*SSL/)
    withoutTls.close()
  })

  it('keeps migrations waiting', async () => {
    const holder = await source.pool.connect()
    await holder.query('begin; lock table public.prayers in access exclusive mode')
    const backup = backUpFrom(source.url)
    await waitForLocks(source.pool, 1)
    const migration = migrate(source.pool, PACKAGE_ROOT)
    await waitForLocks(source.pool, 2)
    await holder.query('rollback')
    holder.release()
    expect((await backup).contents.footer.rows).not.toEqual([])
    expect(await migration).toEqual([])
  })

  it('leaves neither locks nor settings behind, because a pooler gives its connection to others', async () => {
    const left = await withConnection(source.url, async (client) => {
      for await (const chunk of writeBackup(client, NOW)) expect(chunk.length).toBeGreaterThan(0)
      const { rows } = await client.query<object>(`
        select current_setting('row_security') as row_security,
               (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`)
      return rows
    })
    expect(left).toEqual([{ row_security: 'on', locks: 0 }])
  })

  it('that is abandoned closes its connection', async () => {
    await source.pool.query(MANY_ACCOUNTS)
    await withConnection(source.url, async (client) => {
      for await (const chunk of writeBackup(client, NOW)) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
    })
    const held = () =>
      source.pool.query<object>(`select pid from pg_stat_activity
        where application_name = 'intercede backup' and datname = current_database()`)
    await expect.poll(async () => (await held()).rows).toEqual([])
  })

  it('that loses its connection reports it', async () => {
    await source.pool.query(MANY_ACCOUNTS)
    const attempt = withConnection(source.url, async (client) => {
      for await (const chunk of writeBackup(client, NOW)) {
        expect(chunk.length).toBeGreaterThan(0)
        await source.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'intercede backup' and datname = current_database()`)
      }
    })
    await expect(attempt).rejects.toThrow(/^The database (reported an error: terminating|can't be reached)/)
  })
})

it('an interrupted restore reports it, and leaves the database empty', async () => {
  await fill(source)
  await backUpFrom(source.url)
  const holder = await target.pool.connect()
  await holder.query('begin')
  await holder.query(LOCK)
  const interruption = new AbortController()
  const attempt = restoreInto(target.url, { signal: interruption.signal })
  const outcome = attempt.catch((error: unknown) => error)
  const waiting = `select from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await target.pool.query(waiting)).rowCount).toBe(1)
  interruption.abort()
  await holder.query('commit')
  holder.release()
  expect(await outcome).toEqual(new BackupError('The restore was interrupted, and nothing was restored.'))
  await restoreInto(target.url, { keepSessions: true })
  expect(await readKeptRows(target.pool)).toEqual(await readKeptRows(source.pool))
})

it('an unreadable backup leaves no data folder', async () => {
  await writeFile(file, 'nothing')
  const dataDir = join(folder, 'embedded')
  await expect(restoreAt({ databaseUrl: null, dataDir })).rejects.toThrow("can't be restored")
  await expect(access(dataDir)).rejects.toThrow('ENOENT')
})
