import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backUp } from '#server/backup/write-backup.ts'
import { readBackup } from '#server/backup/read-backup.ts'
import { restore } from '#server/backup/restore.ts'
import { BackupError } from '#server/errors/operator-errors.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { readAllRows } from '#tests/support/all-rows.ts'
import { addUsers } from '#tests/support/users.ts'

/** Bytes at the beginning of a gzip file that don't depend on its contents. */
const GZIP_HEADER = 10

/** Bytes of the longest line that is read. */
const LONGEST_LINE = 16 * 1024 ** 2

const uninterrupted = new AbortController().signal

let folder: string
let file: string
/** A valid backup: the file, and its text. */
let valid: Buffer
let text: string
let target: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intercede-backup-'))
  target = await createEmptyDatabase()
  const source = await createTestDatabase()
  await addUsers(source.pool)
  const made = join(folder, 'valid.sql.gz')
  await backUp({ url: source.url, file: made, now: new Date(0), signal: uninterrupted })
  await source.drop()
  valid = await readFile(made)
  text = gunzipSync(valid).toString()
  file = join(folder, 'other.sql.gz')
})

afterAll(async () => {
  await target.drop()
  await rm(folder, { recursive: true })
})

/** Restores a file with these contents; resolves to the message of the error. */
async function errorFor(contents: Buffer, database = target): Promise<string> {
  await writeFile(file, contents)
  const location = { databaseUrl: database.url, dataDir: folder }
  const error: unknown = await restore({
    location,
    file,
    packageRoot: PACKAGE_ROOT,
    signal: uninterrupted,
  }).then(
    () => 'it was restored',
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof BackupError)) throw new Error('The restore did not fail.', { cause: error })
  return error.message
}

function changed(from: string | RegExp, to: string): Buffer {
  expect(text).toMatch(from)
  return gzipSync(text.replace(from, to))
}

async function countRelations(): Promise<number> {
  const { rows } = await target.pool.query<{ count: number }>(`
    select count(*)::int from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`)
  return rows[0]?.count ?? -1
}

describe('a file is rejected before anything is changed', () => {
  it('when it is cut off at any byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: valid.length - 1 }), async (length) => {
        expect(await errorFor(valid.subarray(0, length))).toMatch(
          /it ends too early|it is not an Intercede backup/,
        )
      }),
      { numRuns: 60, seed: 1 },
    )
    expect(await countRelations()).toBe(0)
  })

  it('when any bit of it was flipped', async () => {
    const place = fc.integer({ min: GZIP_HEADER, max: valid.length - 1 })
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 0, max: 7 }), async (position, bit) => {
        const flipped = Buffer.from(valid)
        flipped.writeUInt8(flipped.readUInt8(position) ^ (1 << bit), position)
        expect(await errorFor(flipped)).toMatch(
          /it is damaged|it ends too early|it is not an Intercede backup/,
        )
      }),
      { numRuns: 60, seed: 2 },
    )
    expect(await countRelations()).toBe(0)
  })

  it('when its text is cut off at any line', async () => {
    const lines = text.split('\n').slice(0, -1)
    for (const kept of lines.keys()) {
      const shorter = lines.slice(0, kept).map((line) => `${line}\n`)
      expect(await errorFor(gzipSync(shorter.join('')))).toMatch(
        /it ends too early|it is damaged|not an Intercede backup/,
      )
    }
    expect(lines.length).toBeGreaterThan(20)
    expect(await countRelations()).toBe(0)
  })

  it.each([
    ['text', Buffer.from('no backup at all'), 'it is damaged, or not an Intercede backup'],
    ['compressed text', gzipSync('no backup at all\n'), 'it is not an Intercede backup'],
    ['compressed binary', gzipSync(Buffer.alloc(100_000, 0)), 'it ends too early'],
    ['nothing', Buffer.alloc(0), 'it ends too early'],
  ])('when it is %s', async (_what, contents, reason) => {
    expect(await errorFor(contents)).toBe(`${file} can't be restored: ${reason}.`)
    expect(await countRelations()).toBe(0)
  })

  it.each([
    ['begins with', ''],
    ['continues with', 'the text of a valid backup'],
  ])('when it %s an endless line, of which it reads no more than a row can have', async (_what, before) => {
    const start = before === '' ? '' : text.slice(0, text.indexOf('\\.\n'))
    const endless = gzipSync(start + 'x'.repeat(4 * LONGEST_LINE))
    // Whoever reads to the end finds that it is missing.
    const contents = endless.subarray(0, -100)
    expect(await errorFor(contents)).toBe(
      `${file} can't be restored: it has a line that is too long (more than 16 MiB).`,
    )
    expect(await countRelations()).toBe(0)
  })

  it('when a line has one byte more than the longest', async () => {
    const withRow = (length: number) =>
      changedWithDigest(/^(COPY "public"."categories" .*\n)/m, `$1${'x'.repeat(length)}\n`)
    expect(await errorFor(withRow(LONGEST_LINE + 1))).toContain('it has a line that is too long')
    await writeFile(file, withRow(LONGEST_LINE))
    await expect(readBackup(file)).resolves.toBeDefined()
    expect(await countRelations()).toBe(0)
  })

  it('when it does not exist', async () => {
    const missing = join(folder, 'missing')
    const location = { databaseUrl: target.url, dataDir: folder }
    const attempt = restore({ location, file: missing, packageRoot: PACKAGE_ROOT, signal: uninterrupted })
    await expect(attempt).rejects.toThrow(`${missing} can't be read: ENOENT`)
  })

  it.each([
    ['a changed value', 'anna@example.org', 'mallory@example.org'],
    ['a missing row', /^.*anna@example\.org.*\n/m, ''],
    ['an additional row', 'COPY "public"."prayers"', 'x\nCOPY "public"."prayers"'],
    ['a statement between the tables', /^COPY "public"/m, 'drop table auth.users;\nCOPY "public"'],
    ['a statement at the end', /$/, 'drop table auth.users;\n'],
    ['another number of rows', /"rows":\[/, '"rows":[1,'],
  ])('when it has %s', async (_what, from, to) => {
    expect(await errorFor(changed(from, to))).toBe(`${file} can't be restored: it is damaged.`)
    expect(await countRelations()).toBe(0)
  })

  it('when it has a newer format', async () => {
    expect(await errorFor(changed('"format":1', '"format":2'))).toContain(
      'it was made by a newer version of Intercede, which is needed to restore it',
    )
  })
})

const ID = '00000000-0000-4000-8000-00000000000c'

/** A changed backup with matching row counts and digest. */
function changedWithDigest(from: string | RegExp, to: string): Buffer {
  const other = gunzipSync(changed(from, to)).toString()
  const contents = other.slice(0, other.lastIndexOf('-- End of backup'))
  const rows = contents.split(/^COPY .*\n/m).slice(1)
  const footer = {
    rows: rows.map((part) => part.split('\n').indexOf('\\.')),
    sha256: createHash('sha256').update(contents).digest('hex'),
  }
  return gzipSync(`${contents}-- End of backup ${JSON.stringify(footer)}\n`)
}

describe('a backup that does not fit the schema leaves the database empty', () => {
  it('when it has an unknown migration', async () => {
    const contents = changedWithDigest(
      '"app":[',
      '"app":[{"version":"29990101000000","name":"add_wings","digest":null},',
    )
    expect(await errorFor(contents)).toBe(
      'The backup has the migration 29990101000000_add_wings, which this version of Intercede does not know: restore ' +
        'it with the version that made it, or a newer one.',
    )
    expect(await countRelations()).toBe(0)
  })

  it('when one of its migrations differs from the file', async () => {
    const contents = changedWithDigest(/(_categories","digest":")[0-9a-f]{8}/, '$100000000')
    expect(await errorFor(contents)).toContain('a different version of 20260101000000_create_categories.sql')
    expect(await countRelations()).toBe(0)
  })

  it('when it has other tables or columns than the schema', async () => {
    const renamed = changedWithDigest(/(?<="name":|"public"\.)"prayers"/g, '"wishes"')
    expect(await errorFor(renamed)).toContain('a table public.wishes that is not')
    expect(await errorFor(changedWithDigest(/"note", ?/g, ''))).toContain('a table public.prayers')
    expect(await countRelations()).toBe(0)
  })

  it('when a row violates a constraint', async () => {
    const row = [ID, ID, 'Family', '1', 't', '2026-01-01', '2026-01-01', '1', '\\N'].join('\t')
    const broken = changedWithDigest(/^(COPY "public"."categories" .*\n)/m, `$1${row}\n`)
    expect(await errorFor(broken)).toContain(
      'The database reported an error: insert or update on table "categories" violates',
    )
    expect(await countRelations()).toBe(0)
  })

  it('or unchanged, if it was not empty', async () => {
    const occupied = await createTestDatabase()
    await addUsers(occupied.pool)
    const before = await readAllRows(occupied.pool)
    expect(await errorFor(valid, occupied)).toContain('The database is not empty: it has the table auth.')
    expect(await readAllRows(occupied.pool)).toEqual(before)
    await occupied.drop()
  })

  it('so that a valid backup can be restored afterwards', async () => {
    await writeFile(file, valid)
    const location = { databaseUrl: target.url, dataDir: folder }
    await restore({ location, file, packageRoot: PACKAGE_ROOT, signal: uninterrupted })
    expect((await readAllRows(target.pool))['auth.users']).toHaveLength(2)
  })
})
