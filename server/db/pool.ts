import { Socket } from 'node:net'
import { defaults, Pool, TypeOverrides, types, type PoolConfig } from 'pg'
import { PoolerPool } from './pooler.ts'

/**
 * The role in which data connections start, unless they have a login of their own. It may only check a session: PostgreSQL rejects
 * whatever else runs on such a connection outside the transaction of a caller (request-scope.ts). `migrate` creates it.
 */
export const DATA_ROLE = 'intercede_data'

export interface PoolSettings {
  /** Connection URL of PostgreSQL. */
  url: string
  /** Whether the URL may lead to a connection pooler; see `PoolerPool`. */
  isPooler?: boolean
  /** Most connections held at once. */
  max?: number
  /** Called when the server drops an idle connection. The pool replaces it by itself. */
  onConnectionLost?: (error: Error) => void
}

const MAX_CONNECTIONS = 10
const SECONDS = 1000
/** PostgreSQL cancels a statement that takes longer; the request fails instead of holding a connection. */
const STATEMENT_TIMEOUT = 15 * SECONDS
/**
 * For data connections: how long a statement waits for rows that another one has locked. Short, because it holds a connection
 * while it waits.
 */
const LOCK_TIMEOUT = 5 * SECONDS
/** A database that has not even cancelled a statement so long after its time is over is frozen, or its machine is unreachable. */
const CANCELLATION_TIME = 5 * SECONDS
const CONNECT_TIMEOUT = 10 * SECONDS
const IDLE_IN_TRANSACTION_TIMEOUT = 30 * SECONDS
const IDLE_TIMEOUT = 60 * SECONDS
/** Connections are replaced after this time, so that the memory a session accumulates is released. */
const MAX_LIFETIME_SECONDS = 3600

// Dates are sent as UTC, whatever the time zone of the machine.
defaults.parseInputDatesAsUTC = true

/** A timestamp without time zone is UTC everywhere in this schema; the driver would read it as local time. */
const typesInUtc = new TypeOverrides(types)
typesInUtc.setTypeParser(types.builtins.TIMESTAMP, (text) => new Date(`${text}Z`))

/** Connections with the rights of the schema's owner: for accounts, migrations and the state of the server itself. */
export function createPool(settings: PoolSettings): Pool {
  return openPool(settings, '-c TimeZone=UTC')
}

/** Connections for data requests, without any rights until `runAs` gives them those of a caller. */
export function createDataPool(settings: PoolSettings): Pool {
  return openPool(settings, `-c TimeZone=UTC -c role=${DATA_ROLE}`, LOCK_TIMEOUT)
}

/** Connects on first use, and again after the server was unavailable. */
function openPool(settings: PoolSettings, options: string, lockTimeout?: number): Pool {
  const config: PoolConfig = {
    connectionString: settings.isPooler === true ? settings.url : withOptions(settings.url, options),
    stream: () => new ConfinedSocket(),
    pipeline: true,
    max: settings.max ?? MAX_CONNECTIONS,
    application_name: 'intercede',
    types: typesInUtc,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    lock_timeout: lockTimeout,
    query_timeout: queryTimeout(STATEMENT_TIMEOUT),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    idleTimeoutMillis: IDLE_TIMEOUT,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
  }
  const pool = settings.isPooler === true ? new PoolerPool(config) : new Pool(config)
  pool.on('error', (error) => settings.onConnectionLost?.(error))
  // A connection lost while in use fails its query; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Ends a pool, and resolves once PostgreSQL has closed its connections. The pool's own `end` does not wait for those that were idle: an
 * embedded PostgreSQL that is stopped meanwhile terminates them, and logs an error for each.
 */
export async function endPool(pool: Pool): Promise<void> {
  let open = pool.totalCount
  const closed = new Promise<void>((resolve) => {
    if (open === 0) resolve()
    pool.on('remove', () => {
      open -= 1
      if (open === 0) resolve()
    })
  })
  await Promise.all([pool.end(), closed])
}

type Callback = (error?: Error | null) => void

/**
 * A socket that sends all messages of one turn at once, where the driver would make a system call for each.
 *
 * The driver reads a response in a listener of its socket. An error there, such as a response that is too long for a string, would end
 * the process; here it ends the connection, and the driver fails its queries. Not with TLS, for which the driver has a socket of its own.
 */
class ConfinedSocket extends Socket {
  override write(
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | Callback,
    callback?: Callback,
  ): boolean {
    if (this.writableCorked === 0) {
      this.cork()
      process.nextTick(() => this.uncork())
    }
    return typeof encoding === 'function'
      ? super.write(chunk, encoding)
      : super.write(chunk, encoding, callback)
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event !== 'data') return super.emit(event, ...values)
    try {
      return super.emit(event, ...values)
    } catch (error) {
      this.destroy(
        error instanceof Error ? error : new Error('The response could not be read.', { cause: error }),
      )
      return true
    }
  }
}

/** How long the driver waits, in milliseconds, for a statement that PostgreSQL cancels after `statementTimeout`. */
export function queryTimeout(statementTimeout: number): number {
  return statementTimeout + CANCELLATION_TIME
}

/** Adds to the options that the URL may already carry. */
function withOptions(url: string, options: string): string {
  const parsed = new URL(url)
  const given = parsed.searchParams.get('options') ?? ''
  parsed.searchParams.set('options', `${given} ${options}`.trim())
  return parsed.href
}
