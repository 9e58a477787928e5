import { join } from 'node:path'
import {
  type ClientBase,
  type ClientConfig,
  DatabaseError,
  type Pool,
  type PoolClient,
  type QueryConfig,
} from 'pg'
import { StartupError } from '../../errors/operator-errors.ts'
import { CREATE_DATA_ROLE, grantToDataRole } from '../data-role.ts'
import { DATA_ROLE } from '../pool.ts'
import { withTransaction } from '../transaction.ts'
import { requireCapableDatabase } from './database-requirements.ts'
import {
  APP_HISTORY,
  AUTH_HISTORY,
  pendingMigrations,
  readHistory,
  readMigrations,
  type History,
  type Migration,
} from './migration-history.ts'

/** Folders of the migrations, relative to the package. */
export const AUTH_FOLDER = join('server', 'db', 'auth-schema')
export const APP_FOLDER = join('supabase', 'migrations')

/**
 * Brings the database up to date: first the server's own tables, then those that a Supabase project has as well. Each
 * file is one transaction, and an advisory lock keeps servers on one database from migrating at the same time, so
 * starting several at once is safe. `dataRole`, unless null, gets its rights.
 * Resolves to the names of the files that it applied.
 * Rejects with a `StartupError` if the database is unsuitable, or its history doesn't match the files.
 */
export async function migrate(
  pool: Pool,
  packageRoot: string,
  dataRole: string | null = DATA_ROLE,
): Promise<string[]> {
  const authFiles = await readMigrations(join(packageRoot, AUTH_FOLDER))
  const appFiles = await readMigrations(join(packageRoot, APP_FOLDER))
  await requireCapableDatabase(pool, dataRole === DATA_ROLE ? DATA_ROLE : null)
  if (dataRole === DATA_ROLE) await pool.query(CREATE_DATA_ROLE)
  const applied = [
    ...(await applyAll(pool, AUTH_HISTORY, authFiles)),
    ...(await applyAll(pool, APP_HISTORY, appFiles)),
  ]
  // PostgreSQL would reject it if another server did the same at that moment.
  if (dataRole !== null) await withMigrationLock(pool, (client) => grantToDataRole(client, dataRole))
  return applied
}

async function applyAll(pool: Pool, history: History, files: readonly Migration[]): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    const fileName = await applyNext(pool, history, files)
    if (fileName === null) return applied
    applied.push(fileName)
  }
}

/** Arbitrary, but the same in all servers: the letters of "intercede". */
const LOCK_NUMBER = '7596518402916152'
/** Taken to change the schema, until the end of the transaction. */
export const LOCK = `select pg_advisory_xact_lock(${LOCK_NUMBER})`
/** Taken to keep the schema from being changed, until the end of the transaction. */
export const SHARED_LOCK = `select pg_advisory_xact_lock_shared(${LOCK_NUMBER})`
/** Milliseconds for waiting until another server has migrated, and for a migration itself. */
const MIGRATION_TIMEOUT = 86_400_000

/** Applies the first pending migration; resolves to null if there is none. */
async function applyNext(pool: Pool, history: History, files: readonly Migration[]): Promise<string | null> {
  return await withMigrationLock(pool, async (client) => {
    await client.query(history.create)
    const [next] = pendingMigrations(files, await readHistory(client, history))
    if (next === undefined) return null
    await applyMigration(client, history, next)
    return next.fileName
  })
}

/** Does the work in a transaction, while no other server changes the schema. */
async function withMigrationLock<Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  return await withTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
    await queryWithLongTimeout(client, LOCK)
    return await work(client)
  })
}

async function queryWithLongTimeout(client: ClientBase, text: string): Promise<void> {
  // The driver accepts a timeout for a single query; its types lack it.
  const query: QueryConfig & Pick<ClientConfig, 'query_timeout'> = { text, query_timeout: MIGRATION_TIMEOUT }
  await client.query(query)
}

/** Applies one file and records it, within the caller's transaction. Rejects with a `StartupError` if it fails. */
export async function applyMigration(
  client: ClientBase,
  history: History,
  migration: Migration,
): Promise<void> {
  try {
    await queryWithLongTimeout(client, migration.sql)
    await client.query(history.insert, [migration.version, migration.name, [migration.sql]])
  } catch (cause) {
    if (!(cause instanceof DatabaseError)) throw cause
    throw new StartupError(
      `The migration ${migration.fileName} failed, and nothing of it was applied: ${cause.message}`,
      { cause },
    )
  }
}
