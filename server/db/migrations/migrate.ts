import { join } from 'node:path'
import { type ClientBase, type ClientConfig, DatabaseError, type Pool, type QueryConfig } from 'pg'
import { StartupError } from '../../errors/operator-errors.ts'
import { withTransaction } from '../transaction.ts'
import { requireCapableDatabase } from './database-requirements.ts'
import { readMigrations, type Migration } from './migration-files.ts'
import {
  APP_HISTORY,
  AUTH_HISTORY,
  pendingMigrations,
  readHistory,
  type History,
} from './migration-history.ts'

/** Where the SQL lies, from the package's root. */
export const AUTH_FOLDER = join('server', 'db', 'auth-schema')
export const APP_FOLDER = join('supabase', 'migrations')

/**
 * Brings the database up to date: this server's own tables first, then those that a Supabase project has as well.
 * Each file is one transaction, and all servers on one database take turns, so starting several at once is safe.
 * Rejects with a `StartupError` when the database is too old, was changed behind the files, or lacks a right.
 * Gives the names of the files that it applied.
 */
export async function migrate(pool: Pool, packageRoot: string): Promise<string[]> {
  const authFiles = await readMigrations(join(packageRoot, AUTH_FOLDER))
  const appFiles = await readMigrations(join(packageRoot, APP_FOLDER))
  await requireCapableDatabase(pool)
  return [
    ...(await applyAll(pool, AUTH_HISTORY, authFiles)),
    ...(await applyAll(pool, APP_HISTORY, appFiles)),
  ]
}

async function applyAll(pool: Pool, history: History, files: readonly Migration[]): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    const fileName = await applyNext(pool, history, files)
    if (fileName === null) return applied
    applied.push(fileName)
  }
}

/** Any number will do, as long as all servers take the same: the letters of "intercede". */
const LOCK_NUMBER = '7596518402916152'
/** Held by whoever changes the schema, to the end of the transaction. */
export const LOCK = `select pg_advisory_xact_lock(${LOCK_NUMBER})`
/** Held, to the end of the connection, by whoever needs the schema to stay as it is. */
export const SHARED_LOCK = `select pg_advisory_lock_shared(${LOCK_NUMBER})`
/** Milliseconds for a step that may take its time: what others migrate before us, and what is migrated. */
const PATIENCE = 86_400_000

/** Applies the first migration that is pending; null when there is none. Asked under the lock, so never twice. */
async function applyNext(pool: Pool, history: History, files: readonly Migration[]): Promise<string | null> {
  return await withTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
    await patiently(client, LOCK)
    await client.query(history.create)
    const [next] = pendingMigrations(files, await readHistory(client, history))
    if (next === undefined) return null
    await applyMigration(client, history, next)
    return next.fileName
  })
}

async function patiently(client: ClientBase, text: string): Promise<void> {
  const statement: QueryConfig & Pick<ClientConfig, 'query_timeout'> = { text, query_timeout: PATIENCE }
  await client.query(statement)
}

/** Applies one file and records it, within the caller's transaction. Rejects with a `StartupError` when it fails. */
export async function applyMigration(
  client: ClientBase,
  history: History,
  migration: Migration,
): Promise<void> {
  try {
    await patiently(client, migration.sql)
    await client.query(history.insert, [migration.version, migration.name, [migration.sql]])
  } catch (cause) {
    if (!(cause instanceof DatabaseError)) throw cause
    throw new StartupError(
      `The migration ${migration.fileName} failed, and nothing of it was applied: ${cause.message}`,
      { cause },
    )
  }
}
