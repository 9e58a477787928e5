import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { applyMigration, APP_FOLDER, AUTH_FOLDER, LOCK } from '../db/migrations/migrate.ts'
import {
  APP_HISTORY,
  AUTH_HISTORY,
  digestOf,
  isSameMigration,
  readHistory,
  readMigrations,
  type History,
  type Migration,
} from '../db/migrations/migration-history.ts'
import { BackupError } from '../errors/operator-errors.ts'
import type { BackupHeader, StoredMigration, StoredSequence, StoredTable } from './backup-format.ts'

/** The schemas in which migrations create tables. A test makes sure that there are no tables elsewhere. */
export const STORED_SCHEMAS = ['auth', 'intercede', 'private', 'public']

interface FoundTable extends StoredTable {
  id: string
  /** Ids of the other tables that its foreign keys refer to. */
  references: string[]
}

/**
 * Without unlogged tables, which a crash empties anyway (rate limits), the history of migrations, which a restore writes
 * itself, tables of extensions, and generated columns.
 */
const TABLES = `
  select c.oid::text as id, n.nspname as schema, c.relname as name,
         array(select a.attname::text from pg_attribute a
               where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
               order by a.attnum) as columns,
         array(select distinct k.confrelid::text from pg_constraint k
               where k.contype = 'f' and k.conrelid = c.oid and k.confrelid <> c.oid) as references
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind = 'r' and c.relpersistence = 'p'
    and (n.nspname, c.relname) <> ('auth', 'schema_migrations')
    and not exists (select from pg_depend d
                    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by n.nspname, c.relname`

/** Sequences that have been used. */
const SEQUENCES = `
  select schemaname as schema, sequencename as name, last_value::text as value
  from pg_sequences where schemaname = any($1) and last_value is not null
  order by schemaname, sequencename`

/** The tables whose rows a backup contains, each after those that it refers to. */
export async function readStoredTables(client: ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<FoundTable>(TABLES, [STORED_SCHEMAS])
  return sortByReferences(rows).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

export async function readStoredSequences(client: ClientBase): Promise<StoredSequence[]> {
  const { rows } = await client.query<StoredSequence>(SEQUENCES, [STORED_SCHEMAS])
  return rows
}

function sortByReferences(tables: readonly FoundTable[]): FoundTable[] {
  const sorted: FoundTable[] = []
  let remaining = [...tables]
  while (remaining.length > 0) {
    const ids = new Set(remaining.map(({ id }) => id))
    const next = remaining.filter(({ references }) => !references.some((id) => ids.has(id)))
    if (next.length === 0) {
      const names = remaining.map(({ name }) => name).join(', ')
      throw new BackupError(`The tables ${names} refer to one another, so that none can be filled first.`)
    }
    sorted.push(...next)
    remaining = remaining.filter((table) => !next.includes(table))
  }
  return sorted
}

/** The migrations applied to this database. Throws a `BackupError` if it is not a database of Intercede. */
export async function readStoredMigrations(client: ClientBase): Promise<BackupHeader['schema']> {
  const { rows } = await client.query<{ migrated: boolean }>(
    `select to_regclass('auth.schema_migrations') is not null
        and to_regclass('supabase_migrations.schema_migrations') is not null as migrated`,
  )
  if (rows[0]?.migrated !== true)
    throw new BackupError('The database contains no data of Intercede: there is nothing to back up.')
  return { auth: await readApplied(client, AUTH_HISTORY), app: await readApplied(client, APP_HISTORY) }
}

async function readApplied(client: ClientBase, history: History): Promise<StoredMigration[]> {
  const applied = await readHistory(client, history)
  return applied.map((entry) => ({
    version: entry.version,
    name: entry.name ?? '',
    digest: digestOf(entry),
  }))
}

/**
 * Applies exactly these migrations to an empty database, within the caller's transaction; servers that start in the
 * meantime wait for its end. Throws a `BackupError` if a migration is not among the files, or differs from its file.
 */
export async function applyStoredMigrations(
  client: ClientBase,
  packageRoot: string,
  stored: BackupHeader['schema'],
): Promise<void> {
  const auth = selectFiles(await readMigrations(join(packageRoot, AUTH_FOLDER)), stored.auth)
  const app = selectFiles(await readMigrations(join(packageRoot, APP_FOLDER)), stored.app)
  await client.query(LOCK)
  await client.query(AUTH_HISTORY.create)
  for (const migration of auth) await applyMigration(client, AUTH_HISTORY, migration)
  await client.query(APP_HISTORY.create)
  for (const migration of app) await applyMigration(client, APP_HISTORY, migration)
}

function selectFiles(files: readonly Migration[], stored: readonly StoredMigration[]): Migration[] {
  const byVersion = new Map(files.map((file) => [file.version, file]))
  return stored.toSorted(compareVersions).map(({ version, name, digest }) => {
    const file = byVersion.get(version)
    if (file === undefined) {
      throw new BackupError(
        `The backup has the migration ${version}_${name}, which this version of Intercede does not know: restore it ` +
          'with the version that made it, or a newer one.',
      )
    }
    if (!isSameMigration(file, digest))
      throw new BackupError(`The backup was made with a different version of ${file.fileName}.`)
    return file
  })
}

function compareVersions(a: StoredMigration, b: StoredMigration): number {
  return a.version < b.version ? -1 : 1
}
