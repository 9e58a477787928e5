import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { StartupError } from '../errors/operator-errors.ts'
import { connectionErrorMessage } from './connection-errors.ts'
import { ADVICE_ON_POOLERS } from './data-role.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { createDataPool, createPool, DATA_ROLE, endPool } from './pool.ts'
import { withTransaction } from './transaction.ts'

export interface DatabaseOptions {
  /** An existing PostgreSQL; null starts the embedded one in `dataDir`. */
  databaseUrl: string | null
  /** A login of its own for data connections to it, either of them possibly through a pooler; null if there is none. */
  dataDatabaseUrl: string | null
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
  /** The role in which these start. */
  dataRole: string
  /** Closes all connections and stops the embedded PostgreSQL. */
  close(): Promise<void>
}

/** Accounts need few connections: their statements are short, and hashing passwords takes most of the time. */
const MAX_OWNER_CONNECTIONS = 5
const MAX_DATA_CONNECTIONS = 10
/** Milliseconds for connections to be released and closed before they are abandoned. */
const CLOSE_TIMEOUT = 1_000

/** Starts or finds the database. Rejects with a `StartupError` when that is not possible. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDatabaseUrl } = options
  if (databaseUrl !== null) return await connect({ ...options, databaseUrl, dataDatabaseUrl })
  const server = await startEmbeddedPostgres(options)
  const pools = createPools({ ...options, databaseUrl: server.url })
  return {
    ...pools,
    dataRole: DATA_ROLE,
    close: async () => {
      await endPools(pools)
      await server.stop()
    },
  }
}

interface Urls extends DatabaseOptions {
  databaseUrl: string
}

async function connect(options: Urls): Promise<Database> {
  const { databaseUrl, dataDatabaseUrl } = options
  const pools = createPools(options)
  try {
    await readRole(pools.pool, 'DATABASE_URL', databaseUrl)
    const dataRole =
      dataDatabaseUrl === null
        ? DATA_ROLE
        : await readRole(pools.dataPool, 'DATA_DATABASE_URL', dataDatabaseUrl)
    return { ...pools, dataRole, close: () => endPools(pools) }
  } catch (error) {
    await endPools(pools)
    throw error
  }
}

type Pools = Pick<Database, 'pool' | 'dataPool'>

function createPools({ databaseUrl, dataDatabaseUrl, onConnectionLost }: Urls): Pools {
  const settings = { isPooler: dataDatabaseUrl !== null, onConnectionLost }
  return {
    pool: createPool({ ...settings, url: databaseUrl, max: MAX_OWNER_CONNECTIONS }),
    dataPool: createDataPool({ ...settings, url: dataDatabaseUrl ?? databaseUrl, max: MAX_DATA_CONNECTIONS }),
  }
}

/** The role of connections to the URL of this variable. Rejects with a `StartupError` unless they can be used for transactions. */
async function readRole(pool: Pool, variable: string, url: string): Promise<string> {
  try {
    const { rows } = await withTransaction(pool, (client) =>
      client.query<{ role: string }>('select current_user::text as role'),
    )
    return rows[0]?.role ?? ''
  } catch (cause) {
    const message = connectionErrorMessage(cause)
    throw new StartupError(
      `${variable} leads to ${describeUrl(url)}, which can't be used: ${message}.${adviceOn(message)}`,
      { cause },
    )
  }
}

/** PgBouncer's own errors. */
function adviceOn(message: string): string {
  if (message.includes('startup parameter')) return ` ${ADVICE_ON_POOLERS}`
  if (message.includes('statement pooling mode')) return ' Its pool_mode has to be transaction or session.'
  return ''
}

/** Where the URL of a database leads, without the password. */
export function describeUrl(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname)
  return `the database "${pathname.slice(1)}" on ${host}${port === '' ? '' : ` port ${port}`}`
}

async function endPools({ pool, dataPool }: Pools): Promise<void> {
  await Promise.race([
    Promise.all([endPool(pool), endPool(dataPool)]),
    delay(CLOSE_TIMEOUT, undefined, { ref: false }),
  ])
}
