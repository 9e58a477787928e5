import { migrate } from '../db/migrations/migrate.ts'
import { requireCapableDatabase } from '../db/migrations/database-requirements.ts'
import { createPool } from '../db/pool.ts'
import { BackupError } from '../errors/operator-errors.ts'
import { withConnection } from './connect.ts'
import { type BackupToLoad, loadBackup } from './load-backup.ts'
import { readBackup, type BackupContents } from './read-backup.ts'
import { withDatabaseToFill, type StoredPlace } from './stored-database.ts'

export interface RestoreOptions extends BackupToLoad {
  /** The configured database, which has to be empty. */
  place: StoredPlace
}

export interface RestoreOutcome {
  contents: BackupContents
  /** Names of the migrations that are newer than the backup. */
  migrated: readonly string[]
}

/**
 * Fills an empty database with a backup and brings it up to date. The file is read whole before anything is changed.
 * Rejects with a `BackupError` or a `StartupError`; unless a migration newer than the backup failed, the database is
 * then as empty as before.
 */
export async function restore({ place, ...backup }: RestoreOptions): Promise<RestoreOutcome> {
  try {
    await readBackup(backup.file, { signal: backup.signal })
    return await withDatabaseToFill(place, backup.signal, (url) => fill(url, backup))
  } catch (error) {
    throw inOneSentence(error)
  }
}

async function fill(url: string, backup: BackupToLoad): Promise<RestoreOutcome> {
  const contents = await withConnection(url, async (client) => {
    await requireCapableDatabase(client)
    return await loadBackup(client, backup)
  })
  const pool = createPool({ url, max: 1 })
  try {
    return { contents, migrated: await migrate(pool, backup.packageRoot) }
  } finally {
    await pool.end()
  }
}

function inOneSentence(error: unknown): unknown {
  if (error instanceof Error && error.name === 'AbortError')
    return new BackupError('The restore was interrupted, and nothing was restored.', { cause: error })
  return error
}
