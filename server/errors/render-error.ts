import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './api-error.ts'
import { troubleOf } from './database-trouble.ts'

/** Which of the two protocols answers: they show the same refusal differently. */
export type Surface = 'auth' | 'rest'

const API_VERSION_HEADER = 'x-supabase-api-version'
const DATED_API_VERSION = '2024-01-01'
const BODY_LIMIT_CODE = 'FST_ERR_CTP_BODY_TOO_LARGE'

/**
 * The one place where a failure becomes an answer. Refusals (`ApiError`) keep their status, code and message; a
 * database that serves nobody just now is 503; whatever else was thrown is logged whole and told only as an unexpected
 * failure.
 */
export function createErrorRenderer(surface: Surface) {
  const render = surface === 'auth' ? renderAuthError : renderRestError
  const unexpected = surface === 'auth' ? unexpectedAuthError : unexpectedRestError
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const error =
      thrown instanceof ApiError
        ? thrown
        : (frameworkRefusal(thrown, surface) ?? unavailable(thrown, surface) ?? unexpected(thrown))
    if (error.status >= 500)
      request.log.error(
        { requestId: request.id, err: error.cause ?? error, code: error.code },
        'request failed',
      )
    return render(error, request, reply.code(error.status).headers(error.headers))
  }
}

/** Shapes of GoTrue: supabase/auth internal/api/errors.go and apiversions.go. */
function renderAuthError(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const dated = speaksDatedVersion(request)
  const weak =
    error.weakPasswordReasons.length > 0 ? { weak_password: { reasons: error.weakPasswordReasons } } : {}
  if (!dated || error.weakPasswordReasons.length === 0) void reply.header('x-sb-error-code', error.code)
  if (dated) void reply.header(API_VERSION_HEADER, DATED_API_VERSION)
  return reply.send(
    dated
      ? { code: error.code, message: error.message, ...weak }
      : { code: error.status, error_code: error.code, msg: error.message, ...weak },
  )
}

/** Shape of PostgREST: src/PostgREST/Error.hs. */
function renderRestError(error: ApiError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('proxy-status', `PostgREST; error=${error.code}`)
    .type('application/json; charset=utf-8')
    .send({ code: error.code, details: error.details, hint: error.hint, message: error.message })
}

function unexpectedAuthError(cause: unknown): ApiError {
  const message = 'Unexpected failure, please check server logs for more information'
  return new ApiError(500, 'unexpected_failure', message, { cause })
}

function unexpectedRestError(cause: unknown): ApiError {
  return new ApiError(500, 'PGRSTX00', 'Internal server error', { cause })
}

/** GoTrue has no code of its own for it. */
function unavailable(cause: unknown, surface: Surface): ApiError | null {
  const trouble = troubleOf(cause)
  if (trouble === null) return null
  const code = surface === 'auth' ? 'unexpected_failure' : trouble.code
  return new ApiError(503, code, trouble.message, { cause })
}

/** Refusals that Fastify makes before a handler runs: too large, not JSON, not understood. */
function frameworkRefusal(thrown: unknown, surface: Surface): ApiError | null {
  if (!(thrown instanceof Error) || !('statusCode' in thrown) || typeof thrown.statusCode !== 'number')
    return null
  if (thrown.statusCode < 400 || thrown.statusCode > 499) return null
  const code = 'code' in thrown ? thrown.code : null
  if (code === BODY_LIMIT_CODE) {
    const status = surface === 'auth' ? 'request_entity_too_large' : 'PGRST102'
    return new ApiError(413, status, 'Request body too large')
  }
  return surface === 'auth'
    ? new ApiError(thrown.statusCode, 'bad_json', `Could not parse request body as JSON: ${thrown.message}`)
    : new ApiError(thrown.statusCode, 'PGRST102', 'Empty or invalid json')
}

function speaksDatedVersion(request: FastifyRequest): boolean {
  const version = request.headers[API_VERSION_HEADER]
  return typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= DATED_API_VERSION
}
