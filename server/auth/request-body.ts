import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isRecord } from '#shared/fields.ts'
import { ApiError } from '../errors/api-error.ts'
import { isStorableText } from './storable-text.ts'

/** The fields of a request's JSON body. */
export type Fields = Readonly<Record<string, unknown>>

const FORM = 'application/x-www-form-urlencoded'

/**
 * Reads every body as JSON whatever it calls itself, as GoTrue does, and forms as forms. A body that is not there is
 * no error by itself: auth-js names a content type on requests without one.
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

/** The fields of the body; throws `bad_json` when it is not a JSON object. */
export function readFields(request: FastifyRequest): Fields {
  const { body } = request
  if (body === undefined || body === null) throw badJson('it is empty')
  if (!isRecord(body)) throw badJson('it is not an object')
  return body
}

/** A text field; absent and null are ''. Throws `bad_json` for anything else, and for text that can't be stored. */
export function readText(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw badJson(`"${name}" is not a string`)
  if (!isStorable(value)) throw badJson(`"${name}" contains characters that are no text`)
  return value
}

/** An object field; absent and null are null. Throws `bad_json` for anything else, and for objects deep in objects. */
export function readObject(fields: Fields, name: string): Fields | null {
  const value = fields[name] ?? null
  if (value === null) return null
  if (!isRecord(value)) throw badJson(`"${name}" is not an object`)
  if (!isShallow(value, MAX_DEPTH)) throw badJson(`"${name}" is nested too deeply`)
  if (!isStorable(value)) throw badJson(`"${name}" contains characters that are no text`)
  return value
}

/** Whoever walks through deeper values runs out of stack. */
const MAX_DEPTH = 32

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1))
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => isStorable(name) && isStorable(member))
}

function badJson(reason: string, cause?: unknown): ApiError {
  return new ApiError(400, 'bad_json', `Could not parse request body as JSON: ${reason}`, { cause })
}
