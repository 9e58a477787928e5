import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { migrate } from '#server/db/migrations/migrate.ts'
import { createPool } from '#server/db/pool.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { type Amounts, fillDatabase, FIXED_AMOUNTS } from './fixed-data.ts'

/** Makes the data folder of a server that has been in use: migrated, with the fixed data in it. */
export async function makeDataFolder(folder: string): Promise<string> {
  const dataDir = join(folder, 'data')
  await withDatabase(dataDir, (postgres) => prepare(postgres.url, postgres.superuserUrl, FIXED_AMOUNTS))
  return dataDir
}

/** Runs `work` on the embedded PostgreSQL of a data folder, with the settings that the server gives it. */
export async function withDatabase<Value>(
  dataDir: string,
  work: (postgres: EmbeddedPostgres) => Promise<Value>,
): Promise<Value> {
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    return await work(postgres)
  } finally {
    await postgres.stop()
  }
}

/** Migrates an empty database as the server would, and fills it. */
export async function prepare(url: string, superuserUrl: string, amounts: Amounts): Promise<void> {
  const pool = createPool({ url, max: 1 })
  try {
    await migrate(pool, PACKAGE_ROOT)
  } finally {
    await pool.end()
  }
  await fillDatabase(superuserUrl, amounts)
}
