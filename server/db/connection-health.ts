import { DatabaseError } from 'pg'

/**
 * Errors after which the server hangs up: connection exceptions, shutdown and crash, session time-outs. And one after which
 * we do: a server that can only be read is no longer, or not yet, the one to speak to, and a new connection goes to
 * wherever its name leads by now.
 */
const FATAL_CODES = /^(?:08...|25006|57P0.|25P0[34])$/

/** Whether a connection on which this error came up can serve the next request. */
export function leavesConnectionUsable(error: unknown): boolean {
  return error instanceof DatabaseError && error.code !== undefined && !FATAL_CODES.test(error.code)
}
