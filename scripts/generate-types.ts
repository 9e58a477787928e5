import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { migrate } from '#server/db/migrations/migrate.ts'
import { createPool } from '#server/db/pool.ts'
import { PACKAGE_ROOT } from '#server/package-root.ts'
import { renderDatabaseTypes } from './database-types.ts'

/** Migrates a temporary database and writes the types of its schema. */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'intercede-types-'))
  const server = await startEmbeddedPostgres({ dataDir })
  const pool = createPool({ url: server.url })
  try {
    await migrate(pool, PACKAGE_ROOT)
    await writeFile(join(PACKAGE_ROOT, 'shared', 'database.types.ts'), await renderDatabaseTypes(pool))
  } finally {
    await pool.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await main()
