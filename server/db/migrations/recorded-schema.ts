import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { BackupError } from '../../errors/operator-errors.ts'
import { applyMigration, APP_FOLDER, AUTH_FOLDER, LOCK } from './migrate.ts'
import { readMigrations, type Migration } from './migration-files.ts'
import { APP_HISTORY, AUTH_HISTORY, essence, readHistory, type History } from './migration-history.ts'

/** A migration that a database has had, and what it consisted of. */
export interface RecordedMigration {
  version: string
  name: string
  /** SHA-256, in hexadecimal, of its statements without white space; null where the history doesn't keep them. */
  digest: string | null
}

/** The state of a schema: the migrations it came about by. */
export interface RecordedSchema {
  auth: readonly RecordedMigration[]
  app: readonly RecordedMigration[]
}

/** The state of this database's schema. Throws a `BackupError` when it is no database of Intercede. */
export async function readRecordedSchema(client: ClientBase): Promise<RecordedSchema> {
  const { rows } = await client.query<{ migrated: boolean }>(
    `select to_regclass('auth.schema_migrations') is not null
        and to_regclass('supabase_migrations.schema_migrations') is not null as migrated`,
  )
  if (rows[0]?.migrated !== true)
    throw new BackupError('The database holds nothing of Intercede: there is nothing to back up.')
  return { auth: await recordOf(client, AUTH_HISTORY), app: await recordOf(client, APP_HISTORY) }
}

async function recordOf(client: ClientBase, history: History): Promise<RecordedMigration[]> {
  const applied = await readHistory(client, history)
  return applied.map(({ version, name, statements }) => ({
    version,
    name: name ?? '',
    digest: statements === null ? null : digestOf(statements.join('')),
  }))
}

/**
 * Brings an empty database to exactly that state, within the caller's transaction; servers that start meanwhile wait
 * for its end. Throws a `BackupError` when this version of Intercede does not know a migration, or knows another one
 * of that name.
 */
export async function buildRecordedSchema(
  client: ClientBase,
  packageRoot: string,
  recorded: RecordedSchema,
): Promise<void> {
  const auth = chosenFrom(await readMigrations(join(packageRoot, AUTH_FOLDER)), recorded.auth)
  const app = chosenFrom(await readMigrations(join(packageRoot, APP_FOLDER)), recorded.app)
  await client.query(LOCK)
  await client.query(AUTH_HISTORY.create)
  for (const migration of auth) await applyMigration(client, AUTH_HISTORY, migration)
  await client.query(APP_HISTORY.create)
  for (const migration of app) await applyMigration(client, APP_HISTORY, migration)
}

/** Throws a `BackupError` when one is missing from the files, or differs from its file. */
function chosenFrom(files: readonly Migration[], recorded: readonly RecordedMigration[]): Migration[] {
  const byVersion = new Map(files.map((file) => [file.version, file]))
  return recorded.toSorted(byVersionNumber).map(({ version, name, digest }) => {
    const file = byVersion.get(version)
    if (file === undefined) {
      throw new BackupError(
        `The backup has the migration ${version}_${name}, which this version of Intercede does not know: restore it ` +
          'with the version that made it, or a newer one.',
      )
    }
    if (digest !== null && digest !== digestOf(file.sql))
      throw new BackupError(`The backup was made with another ${file.fileName} than the one that is here.`)
    return file
  })
}

function byVersionNumber(a: RecordedMigration, b: RecordedMigration): number {
  return a.version < b.version ? -1 : 1
}

function digestOf(sql: string): string {
  return createHash('sha256').update(essence(sql)).digest('hex')
}
