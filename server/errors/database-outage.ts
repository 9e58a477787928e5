import { DatabaseError } from 'pg'

/** Why the database can't serve any request at the moment. The client may retry all of these. */
export interface DatabaseOutage {
  /** PostgREST's code if it has one, otherwise PostgreSQL's. */
  code: string
  /** Public: names no files, hosts or roles. */
  message: string
}

const UNREACHABLE: DatabaseOutage = {
  code: 'PGRST000',
  message: 'Database connection error. Retrying the connection.',
}
const NO_FREE_CONNECTION: DatabaseOutage = {
  code: 'PGRST003',
  message: 'Timed out acquiring connection from connection pool.',
}
const TIMED_OUT: DatabaseOutage = {
  code: '57014',
  message: 'The database took too long to respond. Try again in a moment.',
}
const DISK_FULL: DatabaseOutage = {
  code: '53100',
  message: 'The disk of the database is full. Nothing was changed.',
}
const DISK_FAILURE: DatabaseOutage = {
  code: '58030',
  message: 'The disk of the database cannot be used. Nothing was changed.',
}
const READ_ONLY: DatabaseOutage = {
  code: '25006',
  message: 'The database can only be read at the moment. Nothing was changed.',
}

/** PostgreSQL rejects the server's connection: wrong password, no such database, shutting down, too many connections. */
const CONNECTION_REJECTED = /^(?:08...|25P0[34]|28000|28P01|3D000|53300|57P0.)$/
const BY_SQLSTATE: Readonly<Record<string, DatabaseOutage>> = {
  // PostgREST responds with 405. Our requests never ask for a read-only transaction, so here the database itself is
  // read-only, like a standby during failover.
  '25006': READ_ONLY,
  '53100': DISK_FULL,
  // statement_timeout and lock_timeout
  '57014': TIMED_OUT,
  '55P03': TIMED_OUT,
  '58030': DISK_FAILURE,
}
/** errcode_for_file_access reports a file system that became read-only as 42501, "insufficient privilege". */
const READ_ONLY_FILE_SYSTEM = /: Read-only file system$/

/** System calls of outgoing connections; `listen` is not one of them. */
const CONNECTION_CALLS: ReadonlySet<string> = new Set(['connect', 'getaddrinfo', 'read', 'shutdown', 'write'])
/** Messages of the driver, which has no error codes. */
const CONNECTION_LOST = /^(?:Connection terminated|Client (?:has encountered|was closed)|Cannot use a pool)/
const POOL_EXHAUSTED = /^timeout exceeded when trying to connect/
const QUERY_TIMEOUT = /^Query read timeout/

/** Null if the error was caused by the request or by a bug of ours. */
export function outageOf(error: unknown): DatabaseOutage | null {
  if (error instanceof DatabaseError) return outageOfServer(error)
  if (!(error instanceof Error)) return null
  if (POOL_EXHAUSTED.test(error.message)) return NO_FREE_CONNECTION
  if (QUERY_TIMEOUT.test(error.message)) return TIMED_OUT
  return CONNECTION_LOST.test(error.message) || isNetworkError(error) ? UNREACHABLE : null
}

/** Connecting to a host name with several addresses fails with one error per address. File errors have a `path`. */
function isNetworkError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isNetworkError)
  if (!(error instanceof Error) || !('syscall' in error) || 'path' in error) return false
  return typeof error.syscall === 'string' && CONNECTION_CALLS.has(error.syscall)
}

function outageOfServer({ code = '', message, severity }: DatabaseError): DatabaseOutage | null {
  // PostgreSQL exits after a PANIC; whether the transaction was committed is unknown.
  if (severity === 'PANIC' || CONNECTION_REJECTED.test(code)) return UNREACHABLE
  if (code === '42501' && READ_ONLY_FILE_SYSTEM.test(message)) return DISK_FAILURE
  return BY_SQLSTATE[code] ?? null
}
