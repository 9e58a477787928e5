import type { ClientBase } from 'pg'
import { BackupError } from '../errors/operator-errors.ts'
import type { StoredSequence, StoredTable } from './backup-format.ts'

/** Where migrations make tables. A test sees to it that no table stands elsewhere. */
export const STORED_SCHEMAS = ['auth', 'intercede', 'private', 'public']

interface FoundTable extends StoredTable {
  id: string
  /** Ids of the other tables that its foreign keys lead to. */
  references: string[]
}

/**
 * Left out: tables that a crash may empty anyway (unlogged: quotas), the history of migrations, which a restore writes
 * anew, what extensions bring, and columns that are computed.
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

/** Sequences that have given out a number yet. */
const SEQUENCES = `
  select schemaname as schema, sequencename as name, last_value::text as value
  from pg_sequences where schemaname = any($1) and last_value is not null
  order by schemaname, sequencename`

/** The tables of a database with what people and the server keep in them, each after those that it refers to. */
export async function readStoredTables(client: ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<FoundTable>(TABLES, [STORED_SCHEMAS])
  return inOrderOfReference(rows).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

export async function readStoredSequences(client: ClientBase): Promise<StoredSequence[]> {
  const { rows } = await client.query<StoredSequence>(SEQUENCES, [STORED_SCHEMAS])
  return rows
}

function inOrderOfReference(tables: readonly FoundTable[]): FoundTable[] {
  const ordered: FoundTable[] = []
  let waiting = [...tables]
  while (waiting.length > 0) {
    const open = new Set(waiting.map(({ id }) => id))
    const next = waiting.filter(({ references }) => !references.some((id) => open.has(id)))
    if (next.length === 0) {
      const names = waiting.map(({ name }) => name).join(', ')
      throw new BackupError(`The tables ${names} refer to one another, so that none can be filled first.`)
    }
    ordered.push(...next)
    waiting = waiting.filter((table) => !next.includes(table))
  }
  return ordered
}
