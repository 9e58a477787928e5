import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { requireCapableDatabase } from '../db/migrations/database-requirements.ts'
import { migrate } from '../db/migrations/migrate.ts'
import { createPool, DATA_ROLE } from '../db/pool.ts'
import { BackupError } from '../errors/operator-errors.ts'
import {
  copyFrom,
  qualifiedName,
  setSequence,
  type BackupHeader,
  type StoredSequence,
  type StoredTable,
} from './backup-format.ts'
import { BEGIN, withConnection, withDatabaseToFill, type DatabaseLocation } from './connect.ts'
import { readBackup, type BackupContents } from './read-backup.ts'
import { applyStoredMigrations, readStoredTables, STORED_SCHEMAS } from './stored-schema.ts'

export interface BackupToLoad {
  file: string
  /** Folder of the package, which contains the migrations. */
  packageRoot: string
  /** Interrupts the restore, until it is complete. */
  signal: AbortSignal
  /** For a backup that nothing was written after. Otherwise all sessions end: those that were ended since would be valid again. */
  keepSessions?: boolean
}

export interface RestoreOptions extends BackupToLoad {
  /** The configured database, which has to be empty. */
  location: DatabaseLocation
}

export interface RestoreOutcome {
  contents: BackupContents
  /** Names of the migrations that are newer than the backup. */
  migrated: readonly string[]
}

/**
 * Fills an empty database from a backup and brings it up to date. The whole file is read before anything is changed.
 * If this fails, rejects with a `BackupError` or a `StartupError`; the database is then as empty as before, unless a
 * migration newer than the backup failed.
 */
export async function restore({ location, ...backup }: RestoreOptions): Promise<RestoreOutcome> {
  try {
    await readBackup(backup.file, { signal: backup.signal })
    return await withDatabaseToFill(location, backup.signal, (url) => fill(url, location, backup))
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError')
      throw new BackupError('The restore was interrupted, and nothing was restored.', { cause: error })
    throw error
  }
}

async function fill(
  url: string,
  { dataDatabaseUrl = null }: DatabaseLocation,
  backup: BackupToLoad,
): Promise<RestoreOutcome> {
  // A login gets its rights when a server starts.
  const dataRole = dataDatabaseUrl === null ? DATA_ROLE : null
  const contents = await withConnection(url, async (client) => {
    await requireCapableDatabase(client, dataRole)
    return await loadBackup(client, backup)
  })
  const pool = createPool({ url, isPooler: true, max: 1 })
  try {
    return { contents, migrated: await migrate(pool, backup.packageRoot, dataRole) }
  } finally {
    await pool.end()
  }
}

/**
 * Fills an empty database with the contents of `file`, under exactly the schema that it was made with: everything, or
 * nothing if anything is wrong. Servers that start on the database in the meantime wait.
 */
export async function loadBackup(
  client: Client,
  { file, packageRoot, signal, keepSessions = false }: BackupToLoad,
): Promise<BackupContents> {
  await client.query(BEGIN)
  const contents = await readBackup(file, {
    signal,
    onHeader: async (header) => {
      await requireEmpty(client)
      await applyStoredMigrations(client, packageRoot, header.schema)
      await prepareTables(client, header)
    },
    onRows: async (table, rows) => {
      await pipeline(rows, client.query(from(copyFrom(table))))
    },
  })
  for (const sequence of contents.header.sequences) await client.query(setSequence(sequence))
  await startNewEpoch(client, contents.header.tables)
  // This does not list them as ended on purpose, upon which devices would delete what the backup may lack.
  if (!keepSessions) {
    await client.query('truncate auth.sessions cascade')
    await client.query(`delete from intercede.settings where name = 'service_key'`)
  }
  await setTriggers(client, contents.header.tables, 'enable')
  await client.query('analyze')
  signal.throwIfAborted()
  await client.query('commit')
  return contents
}

/** The first relation that migrations would collide with; those of extensions don't matter. */
const FIRST_RELATION = `
  select n.nspname as schema, c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend d
                    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by 1, 2 limit 1`

async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ schema: string; name: string }>(FIRST_RELATION, [
    [...STORED_SCHEMAS, 'supabase_migrations'],
  ])
  const [found] = rows
  if (found === undefined) return
  throw new BackupError(
    `The database is not empty: it has the table ${found.schema}.${found.name}. Nothing was changed. ` +
      'Restore into a new one: set DATA_DIR to a new folder, or DATABASE_URL to an empty database.',
  )
}

/** Removes rows that migrations have inserted, and keeps triggers from changing restored rows. */
async function prepareTables(client: Client, { tables, sequences }: BackupHeader): Promise<void> {
  requireSameTables(await readStoredTables(client), tables)
  await requireSequences(client, sequences)
  await client.query(`truncate ${tables.map(qualifiedName).join(', ')}`)
  await setTriggers(client, tables, 'disable')
}

/**
 * Has devices fetch everything again. No number is used again that they saw after the backup: a row with the number that
 * a device has seen is the one that it has seen. Backups of older versions cannot record that they were restored, or have no numbers: after two restores of one, numbers are used twice.
 */
async function startNewEpoch(client: Client, tables: readonly StoredTable[]): Promise<void> {
  const state = tables.find((table) => qualifiedName(table) === '"public"."sync_state"')
  if (state === undefined) return
  await client.query(
    state.columns.includes('restores')
      ? 'select private.start_new_epoch()'
      : 'update public.sync_state set epoch = gen_random_uuid(), rev = rev + 1000000000',
  )
}

/** Concerns the schema's own triggers only: foreign keys are always checked. */
async function setTriggers(
  client: Client,
  tables: readonly StoredTable[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) await client.query(`alter table ${qualifiedName(table)} ${state} trigger user`)
}

function requireSameTables(expected: readonly StoredTable[], given: readonly StoredTable[]): void {
  const missing = new Set(expected.map(copyFrom))
  const unexpected = given.find((table) => !missing.delete(copyFrom(table)))
  if (unexpected !== undefined)
    throw new BackupError(
      `The backup has a table ${unexpected.schema}.${unexpected.name} that is not Intercede's, or has other columns there.`,
    )
  const [first] = missing
  if (first !== undefined) throw new BackupError(`The backup lacks a table: ${first}`)
}

async function requireSequences(client: Client, sequences: readonly StoredSequence[]): Promise<void> {
  for (const { schema, name } of sequences) {
    const { rowCount } = await client.query(
      'select from pg_sequences where schemaname = $1 and sequencename = $2',
      [schema, name],
    )
    if (rowCount === 0)
      throw new BackupError(`The backup has a sequence ${schema}.${name} that is not Intercede's.`)
  }
}
