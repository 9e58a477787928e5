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
 * starting several at once is safe. Resolves to the names of the files that it applied.
 * Rejects with a `StartupError` if the database is unsuitable, or its history doesn't match the files.
 */
export async function migrate(pool: Pool, packageRoot: string): Promise<string[]> {
  const authFiles = await readMigrations(join(packageRoot, AUTH_FOLDER))
  const appFiles = await readMigrations(join(packageRoot, APP_FOLDER))
  await requireCapableDatabase(pool)
  await pool.query(CREATE_DATA_ROLE)
  const applied = [
    ...(await applyAll(pool, AUTH_HISTORY, authFiles)),
    ...(await applyAll(pool, APP_HISTORY, appFiles)),
  ]
  // PostgreSQL would reject it if another server did the same at that moment.
  await withMigrationLock(pool, (client) => client.query(GRANT_TO_DATA_ROLE))
  return applied
}

/**
 * No migration file, because roles belong to all databases of a server: one that was moved to another server has its
 * tables and its history, and lacks the role. A start for another database may create it at the same moment.
 */
const CREATE_DATA_ROLE = `
  do $$
  begin
    if not exists (select from pg_roles where rolname = '${DATA_ROLE}') then
      create role ${DATA_ROLE} nologin noinherit;
    end if;
  exception when duplicate_object or unique_violation then null;
  end
  $$;
  do $$
  begin
    -- Since PostgreSQL 16 the right to switch to a role is separate from membership.
    if not pg_has_role(current_user, '${DATA_ROLE}',
                       case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end)
    then
      grant ${DATA_ROLE} to current_user;
    end if;
  exception when unique_violation then null;
  end
  $$`

/** The only right of that role: to check the caller's session before it takes the caller's role (request-scope.ts). */
const GRANT_TO_DATA_ROLE = `
  grant usage on schema intercede to ${DATA_ROLE};
  grant execute on function intercede.require_active_session(uuid) to ${DATA_ROLE}`

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
/** Taken to keep the schema from being changed, until the connection is closed. */
export const SHARED_LOCK = `select pg_advisory_lock_shared(${LOCK_NUMBER})`
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
