import { isUtf8 } from 'node:buffer'
import { isRecord } from '#shared/fields.ts'
import { invalidBody } from './refusals.ts'

/** A request's JSON, as text: it goes to the database as one value, which also decides what each entry means. */
export interface Payload {
  readonly text: string
  /** One object, or a list of objects. */
  readonly shape: 'object' | 'array'
  /** The keys that all objects have. */
  readonly keys: readonly string[]
  /** How many objects there are; null if they were not counted because the keys were known. */
  readonly count: number | null
}

const EMPTY_OR_INVALID = 'Empty or invalid json'
const JSON_TYPE = /^application\/(?:json|vnd\.pgrst\.(?:object|array)\+json)\s*(?:;|$)/i
const FIRST_CHARACTER = /[^ \t\n\r]/

/** Reads the bytes of a body as text. Throws PGRST102 for another type than JSON and for broken UTF-8. */
export function bodyText(body: Buffer | undefined, contentType: string | undefined): string {
  if (contentType !== undefined && contentType !== '' && !JSON_TYPE.test(contentType)) {
    throw invalidBody(`Content-Type not acceptable: ${contentType}`)
  }
  if (body === undefined) return ''
  if (!isUtf8(body)) throw invalidBody(EMPTY_OR_INVALID)
  return body.toString('utf8')
}

/**
 * Finds out what rows a body holds. With `columns` the keys are known and the text is left for the database to
 * read; without, all objects must have the same keys. Throws PGRST102.
 */
export function readRows(text: string, columns: readonly string[] | null): Payload {
  const first = FIRST_CHARACTER.exec(text)?.[0]
  if (first !== '{' && first !== '[') throw invalidBody(EMPTY_OR_INVALID)
  const shape = first === '{' ? 'object' : 'array'
  if (columns !== null) return { text, shape, keys: columns, count: null }
  const value = parseJson(text)
  const objects = Array.isArray(value) ? value : [value]
  return { text, shape, keys: sharedKeys(objects), count: objects.length }
}

/** Finds out which arguments a body names. No body at all is a call without arguments. Throws PGRST102. */
export function readArguments(text: string): Payload {
  if (text === '') return { text: '{}', shape: 'object', keys: [], count: 1 }
  const value = parseJson(text)
  if (!isRecord(value)) throw invalidBody(EMPTY_OR_INVALID)
  return { text, shape: 'object', keys: Object.keys(value), count: 1 }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidBody(EMPTY_OR_INVALID)
  }
}

function sharedKeys(objects: readonly unknown[]): string[] {
  const [first, ...others] = objects
  if (objects.length === 0) return []
  if (!isRecord(first)) throw invalidBody('All object keys must match')
  const keys = Object.keys(first)
  for (const other of others) {
    if (
      !isRecord(other) ||
      Object.keys(other).length !== keys.length ||
      !keys.every((key) => Object.hasOwn(other, key))
    ) {
      throw invalidBody('All object keys must match')
    }
  }
  return keys
}
