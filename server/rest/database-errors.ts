import { DatabaseError } from 'pg'
import type { Caller } from '../db/request-scope.ts'
import { ApiError } from '../errors/api-error.ts'
import { outageOf } from '../errors/database-outage.ts'

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
const OPERATIONAL = /^(?:08|25|28|3D|40|53|55|57|58|XX)/

/**
 * The answer to what went wrong with a statement; null for what is no failure of the database. Details such as
 * "Failing row contains (…)" go to the caller, who sent them; the cause, which is logged, never has them.
 */
export function fromDatabaseError(error: unknown, caller: Caller): ApiError | null {
  const cause = error instanceof DatabaseError ? loggable(error) : error
  const trouble = outageOf(error)
  if (trouble !== null) return new ApiError(503, trouble.code, trouble.message, { cause })
  return error instanceof DatabaseError ? refusalOf(error, caller, cause) : null
}

function refusalOf(error: DatabaseError, caller: Caller, cause: unknown): ApiError {
  const { code, status } = classify(error, caller)
  return new ApiError(status, code, error.message, {
    details: error.detail ?? null,
    hint: error.hint ?? null,
    headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {},
    cause,
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
