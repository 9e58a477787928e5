import type { Pool } from 'pg'
import { StartupError } from '../errors/operator-errors.ts'
import { reasonOf } from './connection-failure.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { createPool } from './pool.ts'

export interface DatabaseOptions {
  /** A PostgreSQL of the host's own; null starts the embedded one in `dataDir`. */
  databaseUrl: string | null
  dataDir: string
  /** Told when an unused connection is lost. */
  onConnectionLost: (error: Error) => void
  /** Told what the embedded PostgreSQL logs. */
  onLogLine: (line: string) => void
  /** Told why the embedded PostgreSQL, which ended by itself, could not be started again yet. */
  onRestartFailed: (error: unknown) => void
}

export interface Database {
  pool: Pool
  /** Ends all connections and the embedded PostgreSQL. */
  close(): Promise<void>
}

/** Milliseconds in which borrowed connections may come back before they are given up. */
const POOL_PATIENCE = 1_000

/** Starts or finds the database. Rejects with a `StartupError` when there is none to be had. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { onConnectionLost } = options
  if (options.databaseUrl !== null) {
    const pool = createPool({ url: options.databaseUrl, onConnectionLost })
    await requireReachable(pool, options.databaseUrl)
    return { pool, close: () => endPool(pool) }
  }
  const server = await startEmbeddedPostgres(options)
  const pool = createPool({ url: server.url, onConnectionLost })
  return {
    pool,
    close: async () => {
      await endPool(pool)
      await server.stop()
    },
  }
}

async function requireReachable(pool: Pool, url: string): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (cause) {
    await pool.end()
    throw new StartupError(
      `DATABASE_URL leads to ${placeOf(url)}, which can't be used: ${reasonOf(cause)}.`,
      { cause },
    )
  }
}

/** Where a URL leads, without the password. */
function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname)
  return `the database "${pathname.slice(1)}" on ${host}${port === '' ? '' : ` port ${port}`}`
}

async function endPool(pool: Pool): Promise<void> {
  const { promise: patience, cancel } = after(POOL_PATIENCE)
  await Promise.race([pool.end(), patience])
  cancel()
}

function after(milliseconds: number): { promise: Promise<void>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  return { promise, cancel: () => clearTimeout(timer) }
}
