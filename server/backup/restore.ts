import { migrate } from '../db/migrations/migrate.ts'
import { requireCapableDatabase } from '../db/migrations/database-requirements.ts'
import { createPool } from '../db/pool.ts'
import { withConnection } from './connect.ts'
import { loadBackup } from './load-backup.ts'
import { readBackup, type BackupContents } from './read-backup.ts'
import { withDatabaseToFill, type StoredPlace } from './stored-database.ts'

export interface RestoreOptions {
  /** The configured database, which has to be empty. */
  place: StoredPlace
  file: string
  /** Folder of the package, where the migrations are. */
  packageRoot: string
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
export async function restore({ place, file, packageRoot }: RestoreOptions): Promise<RestoreOutcome> {
  await readBackup(file)
  return await withDatabaseToFill(place, (url) => fill(url, file, packageRoot))
}

async function fill(url: string, file: string, packageRoot: string): Promise<RestoreOutcome> {
  const pool = createPool({ url, max: 1 })
  try {
    await requireCapableDatabase(pool)
    const contents = await withConnection(url, (client) => loadBackup(client, file, packageRoot))
    return { contents, migrated: await migrate(pool, packageRoot) }
  } finally {
    await pool.end()
  }
}
