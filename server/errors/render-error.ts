import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'
import { outageOf } from './database-outage.ts'

/** The API whose shape an error has: GoTrue's, which all but the data API use, or PostgREST's. */
export type ErrorShape = 'auth' | 'rest'

const API_VERSION_HEADER = 'x-supabase-api-version'
const DATED_API_VERSION = '2024-01-01'
const BODY_LIMIT_CODE = 'FST_ERR_CTP_BODY_TOO_LARGE'

/**
 * Creates the error handler of an API, the only place that turns errors into responses. An `ApiError` keeps its status,
 * code and message; a database outage becomes 503. Anything else is logged and sent as an unexpected failure without
 * further information.
 */
export function createErrorRenderer(api: ErrorShape) {
  const render = api === 'auth' ? renderAuthError : renderRestError
  const unexpected = api === 'auth' ? unexpectedAuthError : unexpectedRestError
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error =
      thrown instanceof ApiError
        ? thrown
        : (frameworkError(thrown, request, api) ?? outageError(thrown, api) ?? unexpected(thrown))
    if (error.status >= 500) logFailure(request, error)
    return render(error, request, reply.code(error.status).headers(error.headers))
  }
}

/** Without a cause, it is what the server is meant to respond, such as that too many requests are waiting. */
function logFailure({ log, method, routeOptions }: FastifyRequest, { status, code, cause }: ApiError): void {
  // The route as declared: the URL may have a one-time token.
  const fields = { method, route: routeOptions.url ?? null, status, code }
  if (cause === undefined) log.info(fields, 'request rejected')
  else log.error({ err: cause, ...fields }, 'request failed')
}

/** Shapes of GoTrue: supabase/auth internal/api/errors.go and apiversions.go. */
function renderAuthError(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isDated = acceptsDatedVersion(request)
  const weak =
    error.weakPasswordReasons.length > 0 ? { weak_password: { reasons: error.weakPasswordReasons } } : {}
  if (!isDated || error.weakPasswordReasons.length === 0) void reply.header('x-sb-error-code', error.code)
  if (isDated) void reply.header(API_VERSION_HEADER, DATED_API_VERSION)
  return reply.send(
    isDated
      ? { code: error.code, message: error.message, ...weak }
      : { code: error.status, error_code: error.code, msg: error.message, ...weak },
  )
}

/** Shape of PostgREST: src/PostgREST/Error.hs. */
function renderRestError(error: ApiError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('proxy-status', `PostgREST; error=${error.code}`)
    .type('application/json; charset=utf-8')
    .send({
      code: error.code,
      details: shortened(error.details),
      hint: shortened(error.hint),
      message: shortened(error.message),
    })
}

/** In characters. Errors quote the request, of which a call may have a megabyte. */
const MAX_QUOTED_LENGTH = 4000

function shortened<Text extends string | null>(text: Text): Text | string {
  return text === null || text.length <= MAX_QUOTED_LENGTH
    ? text
    : `${text.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…`
}

function unexpectedAuthError(cause: unknown): ApiError {
  const message = 'Unexpected failure, please check server logs for more information'
  return new ApiError(500, 'unexpected_failure', message, { cause })
}

function unexpectedRestError(cause: unknown): ApiError {
  return new ApiError(500, 'PGRSTX00', 'Internal server error', { cause })
}

/** GoTrue has no code for a database outage. */
function outageError(cause: unknown, api: ErrorShape): ApiError | null {
  const outage = outageOf(cause)
  if (outage === null) return null
  const code = api === 'auth' ? 'unexpected_failure' : outage.code
  return new ApiError(503, code, outage.message, { cause })
}

/** Errors that Fastify raises before the handler runs, such as a body that is too large or not JSON. */
function frameworkError(thrown: unknown, { routeOptions }: FastifyRequest, api: ErrorShape): ApiError | null {
  if (!(thrown instanceof Error) || !('statusCode' in thrown) || typeof thrown.statusCode !== 'number')
    return null
  if (thrown.statusCode < 400 || thrown.statusCode > 499) return null
  if ('code' in thrown && thrown.code === BODY_LIMIT_CODE) {
    const code = api === 'auth' ? 'request_entity_too_large' : 'PGRST102'
    const message = `Request body too large (max ${String(routeOptions.bodyLimit)} bytes)`
    return new ApiError(413, code, message)
  }
  return api === 'auth'
    ? new ApiError(thrown.statusCode, 'bad_json', `Could not parse request body as JSON: ${thrown.message}`)
    : new ApiError(thrown.statusCode, 'PGRST102', 'Empty or invalid json')
}

function acceptsDatedVersion(request: FastifyRequest): boolean {
  const version = request.headers[API_VERSION_HEADER]
  return typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= DATED_API_VERSION
}
