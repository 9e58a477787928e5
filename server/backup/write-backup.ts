import { createHash } from 'node:crypto'
import { access, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import { syncFolder } from '../db/folders.ts'
import { SHARED_LOCK } from '../db/migrations/migrate.ts'
import { isOtherNodeProcess } from '../db/processes.ts'
import { BackupError } from '../errors/operator-errors.ts'
import {
  copyFrom,
  copyTo,
  countRows,
  END_OF_ROWS,
  footerLine,
  headerLine,
  qualifiedName,
  setSequence,
  type StoredSequence,
  type StoredTable,
} from './backup-format.ts'
import { BEGIN, BEGIN_SNAPSHOT, fromDatabase, withConnection } from './connect.ts'
import { readBackup, type BackupContents } from './read-backup.ts'
import { readStoredMigrations, readStoredSequences, readStoredTables } from './stored-schema.ts'

export interface BackupOptions {
  /** The database; it may be in use. */
  url: string
  /** A file that does not exist yet. */
  file: string
  /** The time to record as that of the backup. */
  now: Date
  /** Interrupts the backup, which then leaves no file. */
  signal: AbortSignal
}

export interface BackupOutcome {
  contents: BackupContents
  /** Size of the file. */
  bytes: number
}

/**
 * Writes everything in the database to a file, and reads it again before the file gets its name. If that fails,
 * rejects with a `BackupError` and leaves no file. Also removes what killed backups have left in the same folder.
 */
export async function backUp({ url, file, now, signal }: BackupOptions): Promise<BackupOutcome> {
  await removeAbandoned(dirname(file), now)
  return await withoutMigrations(url, () =>
    withConnection(url, async (client) => {
      const text = fromDatabase(writeBackup(client, now))
      const contents = await writeNewFile({ file, text, check: readBackup, signal })
      return { contents, bytes: (await stat(file)).size }
    }),
  )
}

/** Does the work while migrations wait. On a connection of its own, because taking the lock would take the snapshot of the backup. */
async function withoutMigrations<Value>(url: string, work: () => Promise<Value>): Promise<Value> {
  return await withConnection(url, async (client) => {
    await client.query(BEGIN)
    await client.query(SHARED_LOCK)
    return await work()
  })
}

/** Only the owner may read the file: it is as confidential as the database. */
const PRIVATE = 0o600

interface NewFile<Checked> {
  file: string
  text: AsyncIterable<Buffer>
  /** Called with the temporary name of the complete file. */
  check: (unfinished: string) => Promise<Checked>
  signal: AbortSignal
}

/**
 * Compresses `text` into a new file that gets its name only when it is complete, on disk and passes `check`; resolves to
 * the result of the check. Rejects with a `BackupError` if the file exists or can't be written.
 */
async function writeNewFile<Checked>({ file, text, check, signal }: NewFile<Checked>): Promise<Checked> {
  await requireAbsent(file)
  const unfinished = `${file}.unfinished-${hostname()}-${String(process.pid)}`
  try {
    // Created before anything can interrupt it: a file that is still being created could not be removed.
    const handle = await open(unfinished, 'wx', PRIVATE)
    const target = handle.createWriteStream({ flush: true })
    await pipeline(Readable.from(text), createGzip(), target, { signal })
    const checked = await check(unfinished)
    await rename(unfinished, file)
    await syncFolder(dirname(file))
    return checked
  } catch (error) {
    await rm(unfinished, { force: true })
    throw toBackupError(error, file)
  }
}

/** The end of a temporary name: the machine or container, which 0.1.0 did not write, and the process. */
const UNFINISHED = /\.unfinished-(?:(?<host>.+)-)?(?<pid>\d+)$/
/** Milliseconds after which the process of another machine, which can't be looked up, is presumed to have ended. */
const ABANDONED_AFTER = 24 * 60 * 60 * 1000

/** Removes the temporary files of backups that were killed, and not those of backups in progress. */
async function removeAbandoned(folder: string, now: Date): Promise<void> {
  // A folder that doesn't exist is reported when the file is created.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const { host, pid } = UNFINISHED.exec(entry.name)?.groups ?? {}
    if (!entry.isFile() || pid === undefined) continue
    const path = join(folder, entry.name)
    const isAbandoned =
      host === undefined || host === hostname()
        ? !(await isOtherNodeProcess(Number(pid)))
        : await isOlderThan(path, now.getTime() - ABANDONED_AFTER)
    // Another user's file stays.
    if (isAbandoned) await rm(path, { force: true }).catch(() => {})
  }
}

async function isOlderThan(path: string, time: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && found.mtimeMs < time
}

/** A backup never overwrites a file. */
async function requireAbsent(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new BackupError(`${file} exists already: choose another name, or remove it first.`)
}

function toBackupError(error: unknown, file: string): unknown {
  if (error instanceof Error && error.name === 'AbortError')
    return new BackupError('The backup was interrupted, and nothing is left of it.', { cause: error })
  if (error instanceof Error && 'syscall' in error)
    return new BackupError(`${file} can't be written: ${error.message}.`, { cause: error })
  return error
}

/** Bytes per chunk. */
const CHUNK_SIZE = 65_536

/**
 * Yields the text of a backup: everything in the database at one moment, whatever is written to it in the meantime.
 * No migration may run at the same time.
 */
export async function* writeBackup(client: Client, now: Date): AsyncGenerator<Buffer> {
  const schema = await readStoredMigrations(client)
  const tables = await readStoredTables(client)
  await client.query(BEGIN_SNAPSHOT)
  // With the locks before the snapshot, no table can change its shape in between.
  await client.query(`lock table ${tables.map(qualifiedName).join(', ')} in access share mode`)
  const postgres = await readServerVersion(client)
  // Sequences are not part of a snapshot. Read after it was taken, they are ahead of all rows in it.
  const sequences = await readStoredSequences(client)
  const header = headerLine({ createdAt: now.toISOString(), postgres, schema, tables, sequences })
  const hash = createHash('sha256')
  const rows: number[] = []
  for await (const chunk of inChunks(contentsOf(client, { header, tables, sequences }, rows))) {
    hash.update(chunk)
    yield chunk
  }
  await client.query('commit')
  yield Buffer.from(footerLine({ rows, sha256: hash.digest('hex') }))
}

async function readServerVersion(client: Client): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  return rows[0]?.version ?? ''
}

interface Contents {
  header: string
  tables: readonly StoredTable[]
  sequences: readonly StoredSequence[]
}

/** Yields everything before the footer. Adds the number of rows of each table to `rows`. */
async function* contentsOf(
  client: Client,
  { header, tables, sequences }: Contents,
  rows: number[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(header)
  for (const table of tables) {
    yield Buffer.from(`${copyFrom(table)}\n`)
    let count = 0
    for await (const chunk of client.query(to(copyTo(table)))) {
      if (!Buffer.isBuffer(chunk)) throw new Error('COPY returned something other than bytes.')
      count += countRows(chunk)
      yield chunk
    }
    rows.push(count)
    yield Buffer.from(`${END_OF_ROWS}\n`)
  }
  for (const sequence of sequences) yield Buffer.from(`${setSequence(sequence)}\n`)
}

/** PostgreSQL sends single rows; compressing and writing are faster with larger pieces. */
async function* inChunks(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let size = 0
  for await (const part of parts) {
    pending.push(part)
    size += part.length
    if (size < CHUNK_SIZE) continue
    yield Buffer.concat(pending)
    pending = []
    size = 0
  }
  yield Buffer.concat(pending)
}
