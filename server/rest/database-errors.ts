import { DatabaseError } from 'pg'
import * as v from 'valibot'
import type { Caller } from '../db/request-scope.ts'
import { ApiError } from '../errors/api-error.ts'
import { outageOf } from '../errors/database-outage.ts'
import { sessionEnded } from './errors.ts'

/**
 * Statuses by SQLSTATE or its class (the first two characters), from PostgREST's table (src/PostgREST/Error). Two
 * entries differ: class 54 (too complex) is 500 there, but only a request can cause it; and 23001, which PostgreSQL 18
 * raises instead of 23503 when a row is deleted that others still reference, keeps the status of 23503.
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
/** Raised by `intercede.require_active_session`. */
const SESSION_ENDED = 'The session has ended'
/** Classes about damaged files and bugs: their messages, which name files, are for the operator only. */
const INTERNAL = /^(?:58|XX)/
/** Classes about the state of the server. The messages of all others may quote user data. */
const OPERATIONAL = /^(?:08|25|28|3D|40|53|55|57|58|XX)/

/**
 * The `ApiError` for the error of a statement; null if it is not a database error. Details such as "Failing row contains
 * (…)" are returned to the caller, who sent the data; the cause, which is logged, never contains them.
 */
export function fromDatabaseError(error: unknown, caller: Caller): ApiError | null {
  const cause = error instanceof DatabaseError ? loggable(error) : error
  const outage = outageOf(error)
  if (outage !== null) return new ApiError(503, outage.code, outage.message, { cause })
  if (!(error instanceof DatabaseError)) return null
  if (error.code === 'PT401' && error.message === SESSION_ENDED) return sessionEnded()
  if (error.code === CHOSEN_RESPONSE) return chosenResponse(error, cause)
  const { code, status } = classify(error, caller)
  if (INTERNAL.test(code)) return new ApiError(status, code, 'Internal server error', { cause })
  return new ApiError(status, code, error.message, {
    details: error.detail ?? null,
    hint: error.hint ?? null,
    headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {},
    cause,
  })
}

/** PostgREST's SQLSTATE for errors that choose their status and headers. */
const CHOSEN_RESPONSE = 'PGRST'
const chosenMessage = v.object({
  code: v.string(),
  message: v.string(),
  details: v.nullish(v.string(), null),
  hint: v.nullish(v.string(), null),
})
const chosenDetail = v.object({
  status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  headers: v.record(v.string(), v.string()),
})

/** SQL functions raise such an error with the response as JSON: the body in the message, status and headers in the details. */
function chosenResponse({ message, detail }: DatabaseError, cause: unknown): ApiError {
  const json = v.pipe(v.string(), v.parseJson())
  const body = v.safeParse(v.pipe(json, chosenMessage), message)
  const response = v.safeParse(v.pipe(json, chosenDetail), detail)
  if (!body.success || !response.success)
    return new ApiError(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error', {
      cause,
    })
  const { code, message: text, details, hint } = body.output
  const { status, headers } = response.output
  return new ApiError(status, code, text, { details, hint, headers, cause })
}

function classify(error: DatabaseError, caller: Caller): { code: string; status: number } {
  const code = error.code ?? 'XX000'
  if (code === 'PT406' && error.message === NOT_SINGULAR) return { code: 'PGRST116', status: 406 }
  if (code === '42501') return { code, status: caller.role === 'anon' ? 401 : 403 }
  if (code.startsWith('PT')) return { code, status: customStatus(code) }
  return { code, status: STATUS_BY_CODE[code] ?? STATUS_BY_CODE[code.slice(0, 2)] ?? BAD_REQUEST }
}

/** SQL functions can choose the status: SQLSTATE PT404 is 404. */
function customStatus(code: string): number {
  const status = Number(code.slice(2))
  return status >= 400 && status <= 599 ? status : 500
}

function loggable(error: DatabaseError): Error {
  const code = error.code ?? 'unknown'
  const message = OPERATIONAL.test(code) ? error.message : 'message omitted, it may quote private data'
  return new Error(`database error ${code} in ${error.routine ?? 'unknown routine'}: ${message}`)
}
