import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { isRecord } from '#shared/is-record.ts'
import { ApiError, validationFailed } from '../errors/api-error.ts'
import type { Metadata } from './account.ts'

const FORM = 'application/x-www-form-urlencoded'
/** Recursion over deeper values could exhaust the stack. */
const MAX_DEPTH = 32
/** PostgreSQL stores neither NUL nor unpaired surrogates. */
export const UNSTORABLE = /[\0\p{Surrogate}]/u

/**
 * Parses every body as JSON regardless of its content type, as GoTrue does, and forms as forms. A missing body is not
 * an error by itself: auth-js sends a content type with requests that have none.
 */
export function registerBodyParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    Object.fromEntries(new URLSearchParams(text)),
  )
  scope.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    text === '' ? undefined : parseJson(text),
  )
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (cause) {
    throw badJson('it is not valid JSON', cause)
  }
}

export const Uuid = v.pipe(v.string(), v.uuid())

const storableText = v.pipe(
  v.string('must be a string'),
  v.check((text) => !UNSTORABLE.test(text), 'must not contain NUL characters or unpaired surrogates'),
)

/** A text field. A missing field and null count as ''. */
export const text = v.nullish(storableText, '')

/** A text field that tells a missing field and null (both null) from ''. */
export const optionalText = v.nullish(storableText, null)

/** A field with a JSON object of any content, or null when it is missing or null. */
export const optionalObject = v.nullish(
  v.pipe(
    v.custom<Metadata>(isRecord, 'must be an object'),
    v.check(
      (value) => isStorableJson(value, MAX_DEPTH),
      `must have at most ${String(MAX_DEPTH)} levels and no NUL characters or unpaired surrogates`,
    ),
  ),
  null,
)

function isStorableJson(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value)
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  return Object.entries(value).every(
    ([name, member]) => !UNSTORABLE.test(name) && isStorableJson(member, levels - 1),
  )
}

/** The fields of the request's body, checked against a schema. Throws `bad_json` when they don't match it. */
export function parseBody<Schema extends v.GenericSchema>(
  { body }: Pick<FastifyRequest, 'body'>,
  schema: Schema,
): v.InferOutput<Schema> {
  if (body === undefined || body === null) throw badJson('it is empty')
  if (!isRecord(body)) throw badJson('it must be an object')
  const result = v.safeParse(schema, body)
  if (result.success) return result.output
  const [issue] = result.issues
  throw badJson(`"${v.getDotPath(issue) ?? ''}" ${issue.message}`)
}

/** The text fields of a query string or a body. Of a repeated one the first value counts, as in Go. */
export function textFields(fields: unknown): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(fields ?? {})) {
    const first: unknown = Array.isArray(value) ? value[0] : value
    if (typeof first === 'string') parameters.set(name, first)
  }
  return parameters
}

const PkceRequest = v.object({ code_challenge: v.pipe(v.string(), v.nonEmpty()) })

/** Links and redirects of this server carry tokens, not codes: a client that expects a code would wait for ever. */
export async function rejectPkce({ body, query }: FastifyRequest): Promise<void> {
  if (!v.is(PkceRequest, body) && !v.is(PkceRequest, query)) return
  const message = 'Not supported by this server: the PKCE flow (code_challenge). Use the implicit flow.'
  throw validationFailed(message)
}

function badJson(reason: string, cause?: unknown): ApiError {
  return new ApiError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`, { cause })
}
