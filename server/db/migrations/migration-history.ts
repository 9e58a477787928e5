import type { ClientBase } from 'pg'
import { StartupError } from '../../errors/operator-errors.ts'
import type { Migration } from './migration-files.ts'

/** The statements of one history table, which has the columns that the Supabase CLI gives it. */
export interface History {
  create: string
  select: string
  insert: string
}

/** Of `supabase/migrations`: the Supabase CLI reads and writes the same table. */
export const APP_HISTORY: History = {
  create: `
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (
      version text primary key,
      statements text[],
      name text
    )`,
  select: 'select version, name, statements from supabase_migrations.schema_migrations order by version',
  insert: 'insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)',
}

/** Of this server's own tables. */
export const AUTH_HISTORY: History = {
  create: `
    create schema if not exists auth;
    create table if not exists auth.schema_migrations (
      version text primary key,
      statements text[],
      name text
    )`,
  select: 'select version, name, statements from auth.schema_migrations order by version',
  insert: 'insert into auth.schema_migrations (version, name, statements) values ($1, $2, $3)',
}

export interface AppliedMigration {
  version: string
  name: string | null
  statements: string[] | null
}

export async function readHistory(client: ClientBase, history: History): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(history.select)
  return rows
}

/**
 * The migrations that are still to be applied. Throws a `StartupError` when an applied one was edited, or when the
 * database is ahead of these files.
 */
export function pendingMigrations(
  files: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const byVersion = new Map(applied.map((entry) => [entry.version, entry]))
  const known = new Set(files.map((file) => file.version))
  const unknown = applied.find((entry) => !known.has(entry.version))
  if (unknown !== undefined) throw databaseIsAhead(unknown)
  return files.filter((file) => {
    const entry = byVersion.get(file.version)
    if (entry === undefined) return true
    if (!isSame(file, entry)) throw edited(file)
    return false
  })
}

function databaseIsAhead({ version, name }: AppliedMigration): StartupError {
  const title = name === null || name === '' ? version : `${version}_${name}`
  return new StartupError(
    `The database has the migration ${title}, which this version of Intercede does not know: start the version that ` +
      'made it, or a newer one.',
  )
}

function edited(file: Migration): StartupError {
  return new StartupError(
    `The migration ${file.fileName} was edited after it had been applied to this database: restore the file, and make ` +
      'the change in a new migration.',
  )
}

/** The Supabase CLI stores a file split into statements, so white space and semicolons are left out of account. */
function isSame(file: Migration, entry: AppliedMigration): boolean {
  return entry.statements === null || essence(entry.statements.join('')) === essence(file.sql)
}

/** A migration's text without what the Supabase CLI may change of it. */
export function essence(sql: string): string {
  return sql.replace(/[\s;]+/g, '')
}
