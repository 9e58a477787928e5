import { chmod, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts'
import { StartupError } from '#server/errors/operator-errors.ts'
import { makeDataFolder } from '#tests/support/data-folder.ts'
import { expectNoProcess } from '#tests/support/intercede-process.ts'

const RESTORE = 'restore a backup into a new folder, with DATA_DIR set to it and npm run restore -- FILE'

let dataDir: string
let cluster: string

beforeEach(async () => {
  dataDir = await makeDataFolder()
  cluster = join(dataDir, 'postgres')
})
afterEach(async () => {
  await expectNoProcess(dataDir)
  await rm(dataDir, { recursive: true, force: true })
})

async function empty(path: string): Promise<void> {
  for (const entry of await readdir(path)) await rm(join(path, entry), { recursive: true })
}

async function overwrite(path: string, byte = '\0'): Promise<void> {
  const { length } = await readFile(path)
  await writeFile(path, byte.repeat(length))
}

async function truncateInEach(path: string, file: string): Promise<void> {
  for (const entry of await readdir(path)) await truncate(join(path, entry, file), 0)
}

const DAMAGED = (reason: string) =>
  `The database in ${cluster} is damaged or incomplete (${reason}): ${RESTORE}.`

// PostgreSQL for Windows names files in another way.
it.skipIf(process.platform === 'win32').each<[string, () => Promise<void>, () => string]>([
  [
    'is accessible to other users',
    () => chmod(cluster, 0o755),
    () =>
      `The folder ${cluster} is accessible to other users, which PostgreSQL does not allow: run chmod 700 ${cluster}.`,
  ],
  [
    'has been emptied',
    () => empty(cluster),
    () =>
      `The folder ${cluster} is empty, as if its database had been deleted: ${RESTORE}, ` +
      'or remove the empty folder to begin with a new database.',
  ],
  [
    'has an empty PG_VERSION',
    () => truncate(join(cluster, 'PG_VERSION'), 0),
    () => DAMAGED('its file PG_VERSION is invalid'),
  ],
  [
    'has a truncated PG_VERSION',
    () => truncate(join(cluster, 'PG_VERSION'), 1),
    () => DAMAGED('its file PG_VERSION is invalid'),
  ],
  [
    'has an empty PG_VERSION in each database',
    () => truncateInEach(join(cluster, 'base'), 'PG_VERSION'),
    () => DAMAGED('"base/5" is not a valid data directory'),
  ],
  [
    'has no global folder',
    () => rm(join(cluster, 'global'), { recursive: true }),
    () => DAMAGED(`could not open file "${cluster}/global/pg_control": No such file or directory`),
  ],
  [
    'has a zeroed pg_control',
    () => overwrite(join(cluster, 'global', 'pg_control')),
    () => DAMAGED('database files are incompatible with server'),
  ],
  [
    'has no files of the write-ahead log',
    () => empty(join(cluster, 'pg_wal')),
    () => 'is damaged or incomplete (could not locate a valid checkpoint record',
  ],
  [
    'has no write-ahead log',
    () => rm(join(cluster, 'pg_wal'), { recursive: true }),
    () => DAMAGED('required WAL directory "pg_wal" does not exist'),
  ],
  [
    'has no status of transactions',
    () => empty(join(cluster, 'pg_xact')),
    () => 'is damaged or incomplete (could not access status of transaction',
  ],
  [
    'has a damaged page',
    () => overwrite(join(cluster, 'global', '1262'), 'x'),
    () => DAMAGED('invalid page in block 0 of relation "global/1262"'),
  ],
  [
    'holds something else',
    async () => {
      await empty(cluster)
      await writeFile(join(cluster, 'letter.txt'), 'dear')
    },
    () => `The folder ${cluster} holds files but no complete database`,
  ],
  [
    'is from another version of PostgreSQL',
    () => writeFile(join(cluster, 'PG_VERSION'), '17\n'),
    () => 'holds a database of PostgreSQL 17, and this is PostgreSQL 18',
  ],
])('a database folder that %s is rejected with one sentence', async (_, damage, sentence) => {
  await damage()
  const error: unknown = await startEmbeddedPostgres({ dataDir }).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(StartupError)
  expect(String(error)).toContain(sentence())
})
