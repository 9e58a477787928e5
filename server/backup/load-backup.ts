import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { buildRecordedSchema } from '../db/migrations/recorded-schema.ts'
import { BackupError } from '../errors/operator-errors.ts'
import {
  copyFrom,
  qualifiedName,
  setSequence,
  type BackupHeader,
  type StoredSequence,
  type StoredTable,
} from './backup-format.ts'
import { readBackup, type BackupContents } from './read-backup.ts'
import { readStoredTables, STORED_SCHEMAS } from './stored-tables.ts'

/** Relations that migrations would meet; those of extensions are no hindrance. */
const OCCUPANTS = `
  select n.nspname as schema, c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend d
                    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by 1, 2 limit 1`

export interface BackupToLoad {
  file: string
  /** Folder of the package, where the migrations are. */
  packageRoot: string
  /** Interrupts it, until all is restored. */
  signal: AbortSignal
}

/**
 * Fills an empty database with what `file` holds, under exactly the schema that it was made with: all of it or, when
 * anything is wrong, nothing. Servers that start on the database meanwhile wait.
 */
export async function loadBackup(
  client: Client,
  { file, packageRoot, signal }: BackupToLoad,
): Promise<BackupContents> {
  await client.query('begin')
  const contents = await readBackup(file, {
    signal,
    begin: async (header) => {
      await requireEmpty(client)
      await buildRecordedSchema(client, packageRoot, header.schema)
      await prepareTables(client, header)
    },
    takeRows: async (table, rows) => {
      const target = client.query(from(copyFrom(table)))
      await pipeline(rows, target)
    },
  })
  for (const sequence of contents.header.sequences) await client.query(setSequence(sequence))
  await setTriggers(client, contents.header.tables, 'enable')
  signal.throwIfAborted()
  await client.query('commit')
  await client.query('analyze')
  return contents
}

async function requireEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ schema: string; name: string }>(OCCUPANTS, [
    [...STORED_SCHEMAS, 'supabase_migrations'],
  ])
  const [found] = rows
  if (found === undefined) return
  throw new BackupError(
    `The database is not empty: it has the table ${found.schema}.${found.name}. Nothing was changed. ` +
      'Restore into a new one: set DATA_DIR to a new folder, or DATABASE_URL to an empty database.',
  )
}

/** Migrations may have put rows of their own into the tables; and nothing is to change a row that is restored. */
async function prepareTables(client: Client, { tables, sequences }: BackupHeader): Promise<void> {
  requireSame(await readStoredTables(client), tables)
  await requireSequences(client, sequences)
  await client.query(`truncate ${tables.map(qualifiedName).join(', ')}`)
  await setTriggers(client, tables, 'disable')
}

/** Of the schema's own triggers; references are checked all the same. */
async function setTriggers(
  client: Client,
  tables: readonly StoredTable[],
  state: 'enable' | 'disable',
): Promise<void> {
  for (const table of tables) await client.query(`alter table ${qualifiedName(table)} ${state} trigger user`)
}

function requireSame(expected: readonly StoredTable[], given: readonly StoredTable[]): void {
  const wanted = new Set(expected.map(copyFrom))
  const stray = given.find((table) => !wanted.delete(copyFrom(table)))
  if (stray !== undefined)
    throw new BackupError(
      `The backup has a table ${stray.schema}.${stray.name} that is not Intercede's, or is another there.`,
    )
  const [missing] = wanted
  if (missing !== undefined) throw new BackupError(`The backup lacks a table: ${missing}`)
}

async function requireSequences(client: Client, sequences: readonly StoredSequence[]): Promise<void> {
  for (const { schema, name } of sequences) {
    const { rows } = await client.query<{ exists: boolean }>(
      'select exists (select from pg_sequences where schemaname = $1 and sequencename = $2)',
      [schema, name],
    )
    if (rows[0]?.exists !== true)
      throw new BackupError(`The backup has a sequence ${schema}.${name} that is not Intercede's.`)
  }
}
