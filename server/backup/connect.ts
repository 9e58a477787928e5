import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import type { Config } from '../config.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { connectionErrorMessage } from '../db/connection-errors.ts'
import { describeUrl } from '../db/open-database.ts'
import { BackupError } from '../errors/operator-errors.ts'
import { errorCode } from '../errors/system-error.ts'

/** Which database to back up or to fill. */
export type DatabaseLocation = Pick<Config, 'databaseUrl' | 'dataDir'> &
  Partial<Pick<Config, 'dataDatabaseUrl'>>

/** Which database that is, without the password. */
export function describeLocation({ databaseUrl, dataDir }: DatabaseLocation): string {
  return databaseUrl === null ? dataDir : describeUrl(databaseUrl)
}

/**
 * Calls `work` with the URL of the configured database: that of DATABASE_URL, that of the running server, or, if none
 * is running, that of the embedded database, which is started and stopped for this purpose. Rejects with a
 * `BackupError` if the folder contains none.
 */
export async function withExistingDatabase<Value>(
  { databaseUrl, dataDir }: DatabaseLocation,
  work: (url: string) => Promise<Value>,
): Promise<Value> {
  const running = databaseUrl ?? (await findRunningPostgres(dataDir))
  if (running !== null) return await work(running)
  await stat(join(dataDir, 'postgres', 'PG_VERSION')).catch((cause: unknown) => {
    const problem =
      errorCode(cause) === 'EACCES' ? 'This user has no access to the database' : 'There is no database'
    throw new BackupError(`${problem} in ${dataDir} (DATA_DIR).`, { cause })
  })
  return await withEmbedded(dataDir, work)
}

/**
 * Calls `work` with the URL of the configured database, to be filled: that of DATABASE_URL, or that of the embedded
 * database, which is created if necessary. Rejects with a `StartupError` if a server is running on that folder, and
 * with an `AbortError` if `signal` is aborted in the meantime.
 */
export async function withDatabaseToFill<Value>(
  { databaseUrl, dataDir }: DatabaseLocation,
  signal: AbortSignal,
  work: (url: string) => Promise<Value>,
): Promise<Value> {
  return databaseUrl === null ? await withEmbedded(dataDir, work, signal) : await work(databaseUrl)
}

async function withEmbedded<Value>(
  dataDir: string,
  work: (url: string) => Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  const server = await startEmbeddedPostgres({ dataDir }).catch((error: unknown) => {
    // Ctrl+C also interrupts initdb, which then fails.
    signal?.throwIfAborted()
    throw error
  })
  try {
    return await work(server.url)
  } finally {
    await server.stop()
  }
}

/** Seconds. */
const CONNECT_TIMEOUT = 10

/**
 * Statements may take any time, and values are written in the same format whatever the server's defaults are.
 * `row_security` is off so that a role which doesn't see all rows gets an error instead of some of the rows.
 */
const SETTINGS = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local row_security = off;
  set local client_encoding = 'UTF8';
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres';
  set local timezone = 'UTC';
  set local extra_float_digits = 3;
  set local bytea_output = 'hex'`

/** Through a pooler, nothing that outlives a transaction may be set or locked: others get the same connection of PostgreSQL next. */
export const BEGIN = `begin;${SETTINGS}`
/** The next query takes the snapshot that all others see. */
export const BEGIN_SNAPSHOT = `begin isolation level repeatable read, read only;${SETTINGS}`

/** Runs `work` on a new connection. Rejects with a `BackupError` if the database reports an error. */
export async function withConnection<Value>(
  url: string,
  work: (client: Client) => Promise<Value>,
): Promise<Value> {
  const client = new Client({
    connectionString: url,
    application_name: 'intercede backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT * 1000,
    keepAlive: true,
  })
  // A lost connection fails the current statement; without a listener it would end the process as well.
  client.on('error', () => {})
  try {
    await client.connect().catch((error: unknown) => {
      throw error instanceof DatabaseError ? error : unreachable(error)
    })
    return await work(client)
  } catch (error) {
    throw toBackupError(error)
  } finally {
    await client.end()
  }
}

/** Passes on the items of an iterable that reads from the database, and translates its errors. */
export async function* fromDatabase<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    throw toBackupError(error)
  }
}

function toBackupError(error: unknown): unknown {
  if (error instanceof DatabaseError)
    return new BackupError(`The database reported an error: ${error.message}.`, { cause: error })
  if (error instanceof Error && ('syscall' in error || error.message.startsWith('Connection terminated')))
    return unreachable(error)
  return error
}

function unreachable(cause: unknown): BackupError {
  return new BackupError(`The database can't be reached: ${connectionErrorMessage(cause)}.`, { cause })
}
