import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { findRunningPostgres } from '../db/embedded/running-postgres.ts'
import { BackupError } from '../errors/operator-errors.ts'

/** Which database is meant. */
export type StoredPlace = Pick<Config, 'databaseUrl' | 'dataDir'>

/**
 * Gives `work` the URL of the configured database: the one of DATABASE_URL, that of the running server, or, when it is
 * not running, the embedded one, which is then started and stopped again. Rejects with a `BackupError` when there is
 * none in the folder.
 */
export async function withStoredDatabase<Value>(
  { databaseUrl, dataDir }: StoredPlace,
  work: (url: string) => Promise<Value>,
): Promise<Value> {
  const running = databaseUrl ?? (await findRunningPostgres(dataDir))
  if (running !== null) return await work(running)
  await access(join(dataDir, 'postgres', 'PG_VERSION')).catch((cause: unknown) => {
    throw new BackupError(`There is no database in ${dataDir} (DATA_DIR): there is nothing to back up.`, {
      cause,
    })
  })
  return await withEmbedded(dataDir, work)
}

/**
 * Gives `work` the URL of the configured database for being filled: the one of DATABASE_URL, or the embedded one, made
 * if need be. Rejects with a `StartupError` when a server is running on that folder, and as `signal` says when it is
 * aborted meanwhile.
 */
export async function withDatabaseToFill<Value>(
  { databaseUrl, dataDir }: StoredPlace,
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
    // Ctrl+C reaches the programs that make the database, too, and they fail.
    signal?.throwIfAborted()
    throw error
  })
  try {
    return await work(server.url)
  } finally {
    await server.stop()
  }
}
