import type { Pool } from 'pg'
import { format } from 'prettier'

/** A column as described by pg_catalog. */
interface Column {
  table_name: string
  column_name: string
  type_name: string
  nullable: boolean
  has_default: boolean
}

interface Relationship {
  table_name: string
  constraint_name: string
  columns: string[]
  referenced_table: string
  referenced_columns: string[]
  one_to_one: boolean
}

interface DatabaseFunction {
  function_name: string
  argument_names: string[]
  argument_types: string[]
  return_type: string
}

const COLUMNS = `
  select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as type_name,
         not a.attnotnull as nullable, a.atthasdef as has_default
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attname`

const RELATIONSHIPS = `
  select t.relname as table_name, k.conname as constraint_name, r.relname as referenced_table,
         array(select a.attname::text from unnest(k.conkey) with ordinality as key (number, position)
               join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.number order by position) as columns,
         array(select a.attname::text from unnest(k.confkey) with ordinality as key (number, position)
               join pg_attribute a on a.attrelid = k.confrelid and a.attnum = key.number order by position) as referenced_columns,
         exists (select from pg_index i where i.indrelid = k.conrelid and i.indisunique
                 and i.indkey::int2[] <@ k.conkey) as one_to_one
  from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and t.relnamespace = 'public'::regnamespace and r.relnamespace = 'public'::regnamespace
  order by k.conname`

const FUNCTIONS = `
  select p.proname as function_name, coalesce(p.proargnames, '{}') as argument_names,
         array(select format_type(type, null) from unnest(p.proargtypes) with ordinality as given (type, position)
               order by position) as argument_types,
         format_type(p.prorettype, null) as return_type
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
  order by p.proname`

/**
 * The types of the tables and functions of schema `public`, as the source of `shared/database.types.ts`, in the shape
 * that the Supabase CLI generates and postgrest-js takes. Throws for a type that has no counterpart here yet.
 */
export async function renderDatabaseTypes(pool: Pool): Promise<string> {
  const { rows: columns } = await pool.query<Column>(COLUMNS)
  const { rows: relationships } = await pool.query<Relationship>(RELATIONSHIPS)
  const { rows: functions } = await pool.query<DatabaseFunction>(FUNCTIONS)
  const tables = [...new Set(columns.map((column) => column.table_name))]
  const source = `
    // Generated from the database by "npm run generate-types". Changes belong in supabase/migrations.
    export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

    export type Database = {
      public: {
        Tables: {
          ${tables.map((table) => renderTable(table, columns, relationships)).join('\n')}
        }
        Views: { [_ in never]: never }
        Functions: {
          ${functions.map(renderFunction).join('\n')}
        }
        Enums: { [_ in never]: never }
        CompositeTypes: { [_ in never]: never }
      }
    }`
  return await format(source, { parser: 'typescript', semi: false, singleQuote: true, printWidth: 110 })
}

function renderTable(
  table: string,
  allColumns: readonly Column[],
  relationships: readonly Relationship[],
): string {
  const columns = allColumns.filter((column) => column.table_name === table)
  const member = (column: Column, optional: boolean) =>
    `${column.column_name}${optional ? '?' : ''}: ${typeOf(column.type_name)}${column.nullable ? ' | null' : ''}`
  return `${table}: {
    Row: { ${columns.map((column) => member(column, false)).join('\n')} }
    Insert: { ${columns.map((column) => member(column, column.nullable || column.has_default)).join('\n')} }
    Update: { ${columns.map((column) => member(column, true)).join('\n')} }
    Relationships: [${relationships
      .filter((relationship) => relationship.table_name === table)
      .map(renderRelationship)
      .join(',')}]
  }`
}

function renderRelationship(relationship: Relationship): string {
  return `{
    foreignKeyName: ${JSON.stringify(relationship.constraint_name)}
    columns: ${JSON.stringify(relationship.columns)}
    isOneToOne: ${String(relationship.one_to_one)}
    referencedRelation: ${JSON.stringify(relationship.referenced_table)}
    referencedColumns: ${JSON.stringify(relationship.referenced_columns)}
  }`
}

function renderFunction(found: DatabaseFunction): string {
  const members = found.argument_types.map(
    (type, index) => `${found.argument_names[index] ?? ''}: ${typeOf(type)}`,
  )
  return `${found.function_name}: {
    Args: ${members.length === 0 ? 'never' : `{ ${members.join('\n')} }`}
    Returns: ${found.return_type === 'void' ? 'undefined' : typeOf(found.return_type)}
  }`
}

/** The TypeScript types of values in JSON, by the PostgreSQL type. */
const TYPES: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  'character varying': 'string',
  'timestamp with time zone': 'string',
  date: 'string',
  'time without time zone': 'string',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  json: 'Json',
  jsonb: 'Json',
}

function typeOf(name: string): string {
  if (name.endsWith('[]')) return `${typeOf(name.slice(0, -2))}[]`
  const type = TYPES[name]
  if (type === undefined)
    throw new Error(`There is no TypeScript type for ${name}: add one to scripts/database-types.ts.`)
  return type
}
