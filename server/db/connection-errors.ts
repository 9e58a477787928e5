import { DatabaseError } from 'pg'

/**
 * Errors after which the server closes the connection: connection exceptions, shutdown and crash, session timeouts.
 * And one after which we close it: a server that has become read-only may have been replaced, and a new connection
 * goes to wherever its name leads by then.
 */
const FATAL_CODES = /^(?:08...|25006|57P0.|25P0[34])$/

/** Whether a connection on which this error occurred can serve the next request. */
export function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof DatabaseError && error.code !== undefined && !FATAL_CODES.test(error.code)
}

/** The driver's message when PostgreSQL asks for a password. */
const MISSING_PASSWORD = /^SASL: .*client password must be a (?:non-empty )?string/

/**
 * Why a connection could not be made, without a final full stop. If a host name has several addresses, Node.js tries
 * each of them and reports all errors in one that has no message of its own.
 */
export function connectionErrorMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(connectionErrorMessage).join('; ')
  const message = error instanceof Error ? error.message : String(error)
  return MISSING_PASSWORD.test(message) ? 'the URL has no password' : message
}
