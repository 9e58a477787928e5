import { DatabaseError } from 'pg'

/** Why the database serves nobody just now, whatever was asked. All of it may be tried again. */
export interface DatabaseTrouble {
  /** PostgREST's code where it has one, else PostgreSQL's. */
  code: string
  /** For whoever asked: no names of files, hosts or roles. */
  message: string
}

const UNREACHABLE: DatabaseTrouble = {
  code: 'PGRST000',
  message: 'Database connection error. Retrying the connection.',
}
const NO_FREE_CONNECTION: DatabaseTrouble = {
  code: 'PGRST003',
  message: 'Timed out acquiring connection from connection pool.',
}
const SLOW: DatabaseTrouble = {
  code: '57014',
  message: 'The database took too long to answer. Try again in a moment.',
}
const DISK_FULL: DatabaseTrouble = {
  code: '53100',
  message: 'The disk of the database is full. Nothing was changed.',
}
const DISK_FAILS: DatabaseTrouble = {
  code: '58030',
  message: 'The disk of the database can not be used. Nothing was changed.',
}
const READ_ONLY: DatabaseTrouble = {
  code: '25006',
  message: 'The database can only be read at the moment. Nothing was changed.',
}

/** The database refuses the server itself: wrong password, no such database, shutting down, too many connections. */
const REFUSES_SERVER = /^(?:08...|25P0[34]|28000|28P01|3D000|53300|57P0.)$/
const BY_CODE: Readonly<Record<string, DatabaseTrouble>> = {
  // Not PostgREST's 405: no request asks for a transaction that only reads, so it is the database that does, as a
  // standby that is about to take over.
  '25006': READ_ONLY,
  '53100': DISK_FULL,
  // The time for a statement, and that for a lock.
  '57014': SLOW,
  '55P03': SLOW,
  '58030': DISK_FAILS,
}
/** PostgreSQL has no code of its own for a file system that went read-only: errcode_for_file_access calls it 42501. */
const NOT_PRIVILEGE = /: Read-only file system$/

/** Of a connection that we make, unlike `listen`. */
const CONNECTION_CALLS: ReadonlySet<string> = new Set(['connect', 'getaddrinfo', 'read', 'shutdown', 'write'])
/** What the driver says when a connection is lost or cannot be had. */
const NO_CONNECTION = /^(?:Connection terminated|Client (?:has encountered|was closed)|Cannot use a pool)/
const NONE_FREE = /^timeout exceeded when trying to connect/
const NO_ANSWER = /^Query read timeout/

/** Null for whatever has its reason in the request, or is a fault of ours. */
export function troubleOf(error: unknown): DatabaseTrouble | null {
  if (error instanceof DatabaseError) return troubleOfServer(error)
  if (!(error instanceof Error)) return null
  if (NONE_FREE.test(error.message)) return NO_FREE_CONNECTION
  if (NO_ANSWER.test(error.message)) return SLOW
  return NO_CONNECTION.test(error.message) || isOfNetwork(error) ? UNREACHABLE : null
}

/** A name with several addresses fails with the errors of all of them. Files have system calls too, and paths. */
function isOfNetwork(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isOfNetwork)
  if (!(error instanceof Error) || !('syscall' in error) || 'path' in error) return false
  return typeof error.syscall === 'string' && CONNECTION_CALLS.has(error.syscall)
}

function troubleOfServer({ code = '', message, severity }: DatabaseError): DatabaseTrouble | null {
  // It ends with that, and what was under way is in doubt.
  if (severity === 'PANIC' || REFUSES_SERVER.test(code)) return UNREACHABLE
  if (code === '42501' && NOT_PRIVILEGE.test(message)) return DISK_FAILS
  return BY_CODE[code] ?? null
}
