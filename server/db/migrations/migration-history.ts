import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { StartupError } from '../../errors/operator-errors.ts'

/** One file `<version>_<name>.sql`. */
export interface Migration {
  /** Fourteen digits, by which migrations are ordered. */
  version: string
  name: string
  fileName: string
  sql: string
}

/** The statements for one history table, which has the columns that the Supabase CLI gives it. */
export interface History {
  create: string
  select: string
  insert: string
}

export interface AppliedMigration {
  version: string
  name: string | null
  statements: string[] | null
}

/** History of `supabase/migrations`: the Supabase CLI reads and writes the same table. */
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

/** History of the server's own tables. */
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

const FILE_NAME = /^(\d{14})_(\w+)\.sql$/

/** Reads the migrations in a folder, in order. Throws if a `.sql` file has another kind of name. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const entries = await readdir(folder)
  const fileNames = entries.filter((entry) => entry.endsWith('.sql')).toSorted()
  return await Promise.all(fileNames.map((fileName) => readMigration(folder, fileName)))
}

async function readMigration(folder: string, fileName: string): Promise<Migration> {
  const [, version, name] = FILE_NAME.exec(fileName) ?? []
  if (version === undefined || name === undefined) {
    throw new Error(`A migration is named <14 digits>_<words>.sql, and ${join(folder, fileName)} is not.`)
  }
  return { version, name, fileName, sql: await readFile(join(folder, fileName), 'utf8') }
}

export async function readHistory(client: ClientBase, history: History): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(history.select)
  return rows
}

/**
 * The migrations that have not been applied yet. Throws a `StartupError` if an applied one was edited since, or if the
 * database has one that is not among the files.
 */
export function pendingMigrations(
  files: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const byVersion = new Map(applied.map((entry) => [entry.version, entry]))
  const known = new Set(files.map((file) => file.version))
  const unknown = applied.find((entry) => !known.has(entry.version))
  if (unknown !== undefined) throw databaseIsNewer(unknown)
  return files.filter((file) => {
    const entry = byVersion.get(file.version)
    if (entry === undefined) return true
    if (!isSameMigration(file, digestOf(entry))) throw wasEdited(file)
    return false
  })
}

function databaseIsNewer({ version, name }: AppliedMigration): StartupError {
  const title = name === null || name === '' ? version : `${version}_${name}`
  return new StartupError(
    `The database has the migration ${title}, which this version of Intercede does not know: start the version that ` +
      'made it, or a newer one.',
  )
}

function wasEdited(file: Migration): StartupError {
  return new StartupError(
    `The migration ${file.fileName} was edited after it had been applied to this database: restore the file, and make ` +
      'the change in a new migration.',
  )
}

/** Whether `digest` is that of the file's text. A digest of null is unknown. */
export function isSameMigration(file: Migration, digest: string | null): boolean {
  return digest === null || digest === digestOfText(file.sql)
}

/** The SHA-256 of an applied migration's text; null if the history lacks the text. */
export function digestOf({ statements }: AppliedMigration): string | null {
  return statements === null ? null : digestOfText(statements.join(''))
}

/** The Supabase CLI stores a file split into statements, so white space and semicolons don't count; comments do. */
function digestOfText(sql: string): string {
  return createHash('sha256')
    .update(sql.replace(/[\s;]+/g, ''))
    .digest('hex')
}
