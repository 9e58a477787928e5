import { ApiError } from '../errors/api-error.ts'

/**
 * The errors that the data API raises before it queries the database. Statuses, codes and messages are PostgREST's
 * (src/PostgREST/Error): clients depend on them, do not change them.
 */

/** The only schema that the API exposes. */
export const EXPOSED_SCHEMA = 'public'

/** A syntax error in the query string. `column` counts from 1. */
export function syntaxError(what: string, source: string, column: number, details: string): ApiError {
  const message = `"failed to parse ${what} (${source})" (line 1, column ${column})`
  return new ApiError(400, 'PGRST100', message, { details })
}

export function methodNotAllowedOnFunction(method: string): ApiError {
  return new ApiError(405, 'PGRST101', `Cannot use the ${method} method on RPC`)
}

/** The error of PostgreSQL for an anonymous call of the function. */
export function functionDenied(name: string): ApiError {
  const headers = { 'www-authenticate': 'Bearer' }
  return new ApiError(401, '42501', `permission denied for function ${name}`, { headers })
}

export function invalidBody(message: string): ApiError {
  return new ApiError(400, 'PGRST102', message)
}

/** Like the error of the account quota (supabase/schemas/02_account_usage.sql), for an import of more than any account can hold. */
export function importTooLarge(): ApiError {
  const limits = '20,000 prayers, 20,000 updates and 150,000 prayed days'
  return new ApiError(413, 'PT413', `The import has more than an account can hold: ${limits}.`)
}

export function invalidRange(details: string, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError(416, 'PGRST103', 'Requested range not satisfiable', { details, headers })
}

export function unknownSchema(schema: string): ApiError {
  const hint = `Only the following schemas are exposed: ${EXPOSED_SCHEMA}`
  return new ApiError(406, 'PGRST106', `Invalid schema: ${schema}`, { hint })
}

export function unavailableMediaType(accept: string): ApiError {
  return new ApiError(406, 'PGRST107', `None of these media types are available: ${accept}`)
}

export function notEmbedded(resource: string): ApiError {
  const hint = `Verify that '${resource}' is included in the 'select' query parameter.`
  const message = `'${resource}' is not an embedded resource in this request`
  return new ApiError(400, 'PGRST108', message, { hint })
}

export function notSingular(rows: number): ApiError {
  const details = `The result contains ${rows} rows`
  return new ApiError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', { details })
}

export function unsupportedMethod(method: string): ApiError {
  return new ApiError(405, 'PGRST117', `Unsupported HTTP method: ${method}`)
}

export function invalidPreferences(preferences: readonly string[]): ApiError {
  const details = `Invalid preferences: ${preferences.join(', ')}`
  return new ApiError(400, 'PGRST122', 'Invalid preferences given with handling=strict', { details })
}

export function aggregatesNotAllowed(): ApiError {
  return new ApiError(400, 'PGRST123', 'Use of aggregate functions is not allowed')
}

export function notImplemented(details: string): ApiError {
  return new ApiError(400, 'PGRST127', 'Feature not implemented', { details })
}

/** A feature of PostgREST that this server lacks. */
export function unsupported(feature: string, hint: string | null = null): ApiError {
  return new ApiError(400, 'PGRST127', `Not supported by this server: ${feature}`, { hint })
}

export function embeddingUnsupported(other: string): ApiError {
  return unsupported(`embedding other tables ('${other}')`, 'Request each table separately.')
}

export function unknownFunction(name: string, keys: readonly string[], hint: string | null): ApiError {
  const called = `${EXPOSED_SCHEMA}.${name}`
  const listed = keys.join(', ')
  const message = `Could not find the function ${called}${keys.length === 0 ? ' without parameters' : `(${listed})`} in the schema cache`
  const withParameters =
    keys.length === 0 ? ' without parameters' : ` with parameter${keys.length > 1 ? 's' : ''} ${listed}`
  const details = `Searched for the function ${called}${withParameters}, but no matches were found in the schema cache.`
  return new ApiError(404, 'PGRST202', message, { details, hint })
}

/** A column named in a body or in `columns`. */
export function unknownPayloadColumn(table: string, column: string): ApiError {
  return new ApiError(
    400,
    'PGRST204',
    `Could not find the '${column}' column of '${table}' in the schema cache`,
  )
}

/** A column named in a filter, an order or a selection: the error of PostgreSQL. */
export function unknownColumn(table: string, column: string): ApiError {
  return new ApiError(400, '42703', `column ${table}.${column} does not exist`)
}

export function unknownTable(table: string): ApiError {
  return new ApiError(
    404,
    'PGRST205',
    `Could not find the table '${EXPOSED_SCHEMA}.${table}' in the schema cache`,
  )
}

/** The error of Supabase projects (extension safeupdate): a forgotten filter must not change all rows. */
export function filterRequired(command: 'UPDATE' | 'DELETE'): ApiError {
  return new ApiError(400, '21000', `${command} requires a WHERE clause`)
}

/** A token that is not accepted. `description` is the message, and repeated in `WWW-Authenticate`. */
export function tokenRejected(
  code: 'PGRST301' | 'PGRST303',
  description: string,
  details: string | null = null,
): ApiError {
  const challenge = `Bearer error="invalid_token", error_description="${description}"`
  return new ApiError(401, code, description, { details, headers: { 'www-authenticate': challenge } })
}

/** A token whose session has ended. Its client must refresh it, as after its expiry, and learns then that it can't. */
export function sessionEnded(): ApiError {
  return tokenRejected('PGRST303', 'JWT expired', 'The session of the token has ended')
}

/** A token with a role that is not available over the API. */
export function unknownRole(role: string): ApiError {
  return new ApiError(401, '22023', `role "${role}" does not exist`, {
    headers: { 'www-authenticate': 'Bearer' },
  })
}
