import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { migrate } from '#server/db/migrations/migrate.ts'
import { createPool } from '#server/db/pool.ts'
import { loadTokenKeys } from '#server/jwt/token-keys.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'

/** Creates an empty folder; resolves to its real path. */
export async function makeFolder(): Promise<string> {
  return await realpath(await mkdtemp(join(tmpdir(), 'intercede-folder-')))
}

/** Creates a data folder with the database of a server that has been started before; resolves to its real path. */
export async function makeDataFolder(): Promise<string> {
  const folder = await makeFolder()
  await copyDatabaseInto(folder)
  return folder
}

/** Copies such a database into an existing folder, which takes a fraction of the time of creating one. */
export async function copyDatabaseInto(folder: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${await preparedDatabase()}/.`, folder])
}

/** The folder to copy, which the first process that needs it prepares for all. */
async function preparedDatabase(): Promise<string> {
  const parent = inject('preparedFolder')
  const prepared = join(parent, 'prepared')
  if (existsSync(prepared)) return prepared
  const dataDir = await mkdtemp(join(parent, 'data-'))
  // The data need not survive a power cut.
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
  const pool = createPool({ url: postgres.url, max: 1 })
  await migrate(pool, PACKAGE_ROOT)
  await loadTokenKeys(pool, { jwtSecret: null, anonKey: null }, new Date())
  await pool.end()
  await postgres.stop()
  // Unless another process was faster.
  await rename(dataDir, prepared).catch(() => {})
  return prepared
}
