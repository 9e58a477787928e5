import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { StartupError } from '../errors/operator-errors.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { connectionErrorMessage, createDataPool, createPool, DATA_ROLE } from './pool.ts'

export interface DatabaseOptions {
  /** An existing PostgreSQL; null starts the embedded one in `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  /** Called when an idle connection is lost. */
  onConnectionLost: (error: Error) => void
  /** Called with each line that the embedded PostgreSQL logs. */
  onLogLine: (line: string) => void
  /** Called when an attempt to restart the embedded PostgreSQL, which had exited by itself, failed. */
  onRestartFailed: (error: unknown) => void
}

export interface Database {
  /** Connections of the schema's owner. */
  pool: Pool
  /** Connections for data requests, which have no rights of their own. They need a migrated database. */
  dataPool: Pool
  /** Closes all connections and stops the embedded PostgreSQL. */
  close(): Promise<void>
}

/** Accounts need few connections: their statements are short, and hashing passwords takes most of the time. */
const MAX_OWNER_CONNECTIONS = 5
const MAX_DATA_CONNECTIONS = 10
/** Milliseconds for connections in use to be released before they are abandoned. */
const CLOSE_TIMEOUT = 1_000

/** Starts or finds the database. Rejects with a `StartupError` when that is not possible. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.databaseUrl !== null) {
    const pools = createPools(options.databaseUrl, options)
    await requireReachable(pools.pool, options.databaseUrl)
    return { ...pools, close: () => endPools(pools) }
  }
  const server = await startEmbeddedPostgres(options)
  const pools = createPools(server.url, options)
  return {
    ...pools,
    close: async () => {
      await endPools(pools)
      await server.stop()
    },
  }
}

/**
 * Rejects with a `StartupError` unless data connections start in their role, which is what protects the data from a
 * statement outside its transaction.
 */
export async function requireDataRole(dataPool: Pool): Promise<void> {
  const { rows } = await dataPool.query<{ role: string }>('select current_user as role')
  const role = rows[0]?.role ?? ''
  if (role !== DATA_ROLE)
    throw new StartupError(
      `DATABASE_URL leads to a connection pooler that ignores connection options (connections start as "${role}", not ` +
        `as "${DATA_ROLE}"): point it at PostgreSQL itself.`,
    )
}

type Pools = Pick<Database, 'pool' | 'dataPool'>

function createPools(url: string, { onConnectionLost }: DatabaseOptions): Pools {
  return {
    pool: createPool({ url, max: MAX_OWNER_CONNECTIONS, onConnectionLost }),
    dataPool: createDataPool({ url, max: MAX_DATA_CONNECTIONS, onConnectionLost }),
  }
}

async function requireReachable(pool: Pool, url: string): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (cause) {
    await pool.end()
    throw new StartupError(
      `DATABASE_URL leads to ${describeUrl(url)}, which can't be used: ${connectionErrorMessage(cause)}.`,
      { cause },
    )
  }
}

/** Where a URL leads, without the password. */
function describeUrl(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname)
  return `the database "${pathname.slice(1)}" on ${host}${port === '' ? '' : ` port ${port}`}`
}

async function endPools({ pool, dataPool }: Pools): Promise<void> {
  await Promise.race([
    Promise.all([pool.end(), dataPool.end()]),
    delay(CLOSE_TIMEOUT, undefined, { ref: false }),
  ])
}
