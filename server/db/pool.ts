import { defaults, Pool, TypeOverrides, types } from 'pg'

export interface PoolSettings {
  /** Connection URL of PostgreSQL. */
  url: string
  /** Most connections held at once. */
  max?: number
  /** Told when the server drops a connection that nobody was using. The pool replaces it by itself. */
  onConnectionLost?: (error: Error) => void
}

const MAX_CONNECTIONS = 10
const SECONDS = 1000
/** A statement that takes longer is ended by the database; the request fails instead of holding a connection. */
const STATEMENT_TIMEOUT = 15 * SECONDS
/** A database that has not even ended the statement by then is frozen, or its machine is gone without a word. */
const ANSWER_TIMEOUT = STATEMENT_TIMEOUT + 5 * SECONDS
const CONNECT_TIMEOUT = 10 * SECONDS
const IDLE_IN_TRANSACTION_TIMEOUT = 30 * SECONDS
const IDLE_TIMEOUT = 60 * SECONDS
/** A connection is replaced after this long, so that nothing it has piled up stays for ever. */
const MAX_LIFETIME_SECONDS = 3600

// Dates are sent as UTC, whatever the time zone of the machine.
defaults.parseInputDatesAsUTC = true

/** A timestamp without time zone is UTC everywhere in this schema; the driver would read it as local time. */
const typesInUtc = new TypeOverrides(types)
typesInUtc.setTypeParser(types.builtins.TIMESTAMP, (text) => new Date(`${text}Z`))

/**
 * Connections of the schema's owner. They pipeline: statements queued without awaiting leave together. Connects when
 * first used, and again after the server was away.
 */
export function createPool(settings: PoolSettings): Pool {
  const pool = new Pool({
    connectionString: withUtc(settings.url),
    pipeline: true,
    max: settings.max ?? MAX_CONNECTIONS,
    application_name: 'intercede',
    types: typesInUtc,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT,
    idleTimeoutMillis: IDLE_TIMEOUT,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
  })
  pool.on('error', (error) => settings.onConnectionLost?.(error))
  // A connection lost while in use fails its query; without a listener it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Adds the session time zone to the options that the URL may already carry. */
function withUtc(url: string): string {
  const parsed = new URL(url)
  const given = parsed.searchParams.get('options')
  parsed.searchParams.set('options', `${given ?? ''} -c TimeZone=UTC`.trim())
  return parsed.href
}
