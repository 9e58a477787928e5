import { DatabaseError } from 'pg'
import { ApiError } from '../errors/api-error.ts'
import type { Caller } from '../db/request-scope.ts'

/**
 * Statuses by SQLSTATE, or by its first two characters: PostgREST's table (src/PostgREST/Error). Two entries are ours:
 * 54 (too complex), which only a request can cause, is the request's fault here and the server's there; and 23001,
 * with which PostgreSQL 18 refuses to remove what is still referred to, has the status of 23503, its earlier name.
 */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  '08': 503,
  '09': 500,
  '0L': 403,
  '0P': 403,
  '21000': 500,
  '23001': 409,
  '23503': 409,
  '23505': 409,
  '25': 500,
  '25006': 405,
  '28': 403,
  '2D': 500,
  '38': 500,
  '39': 500,
  '3B': 500,
  '40': 500,
  '42883': 404,
  '42P01': 404,
  '42P17': 500,
  '53': 503,
  '53400': 500,
  '54': 400,
  '55': 500,
  '57': 500,
  '58': 500,
  F0: 500,
  HV: 500,
  P0: 500,
  P0001: 400,
  XX: 500,
}
const BAD_REQUEST = 400
/** Raised by `intercede.require_single_row`. */
const NOT_SINGULAR = 'Cannot coerce the result to a single JSON object'
/** Classes that speak of the server's own state; texts of all others may quote what a person wrote. */
const OPERATIONAL = /^(?:08|28|3D|40|53|57|58|XX)/
/** The database refuses the server itself: wrong password, no such database, shutting down, too many connections. */
const SERVER_REFUSED = /^(?:28000|28P01|3D000|57P0[1-3]|53300)$/
/** What the driver says when a connection is lost or cannot be had. */
const NO_CONNECTION = /^(?:Connection terminated|Client (?:has encountered|was closed)|Cannot use a pool)/
const NO_FREE_CONNECTION = /^timeout exceeded when trying to connect/

/**
 * The answer to what went wrong with a statement; null for what is no failure of the database. Details such as
 * "Failing row contains (…)" go to the caller, who sent them; the cause, which is logged, never has them.
 */
export function fromDatabaseError(error: unknown, caller: Caller): ApiError | null {
  if (error instanceof DatabaseError) return fromServerError(error, caller)
  if (!(error instanceof Error)) return null
  if (NO_FREE_CONNECTION.test(error.message)) {
    const message = 'Timed out acquiring connection from connection pool.'
    return new ApiError(503, 'PGRST003', message, { cause: error })
  }
  return 'syscall' in error || NO_CONNECTION.test(error.message) ? connectionLost(error) : null
}

function connectionLost(cause: Error): ApiError {
  return new ApiError(503, 'PGRST000', 'Database connection error. Retrying the connection.', { cause })
}

function fromServerError(error: DatabaseError, caller: Caller): ApiError {
  if (SERVER_REFUSED.test(error.code ?? '')) return connectionLost(loggable(error))
  const { code, status } = classify(error, caller)
  return new ApiError(status, code, error.message, {
    details: error.detail ?? null,
    hint: error.hint ?? null,
    headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {},
    cause: loggable(error),
  })
}

function classify(error: DatabaseError, caller: Caller): { code: string; status: number } {
  const code = error.code ?? 'XX000'
  if (code === 'PT406' && error.message === NOT_SINGULAR) return { code: 'PGRST116', status: 406 }
  if (code === '42501') return { code, status: caller.role === 'anon' ? 401 : 403 }
  if (code.startsWith('PT')) return { code, status: chosenStatus(code) }
  return { code, status: STATUS_BY_CODE[code] ?? STATUS_BY_CODE[code.slice(0, 2)] ?? BAD_REQUEST }
}

/** A function of the database can name the status itself: SQLSTATE PT404 is 404. */
function chosenStatus(code: string): number {
  const status = Number(code.slice(2))
  return status >= 400 && status <= 599 ? status : 500
}

function loggable(error: DatabaseError): Error {
  const code = error.code ?? 'unknown'
  const text = OPERATIONAL.test(code) ? error.message : 'text left out, it may quote private data'
  return new Error(`database error ${code} in ${error.routine ?? 'unknown routine'}: ${text}`)
}
