import { isUtf8 } from 'node:buffer'
import { isRecord } from '#shared/is-record.ts'
import { importTooLarge, invalidBody } from './errors.ts'

/** A JSON body. Its text is bound as one value, so that the database alone converts what is in it. */
export interface Payload {
  readonly text: string
  readonly shape: 'object' | 'array'
  /** The keys that all objects have. */
  readonly keys: readonly string[]
  /** Number of objects; null if the text was not parsed because `columns` named the keys. */
  readonly count: number | null
}

const EMPTY_OR_INVALID = 'Empty or invalid json'
const JSON_TYPE = /^application\/(?:json|vnd\.pgrst\.(?:object|array)\+json)\s*(?:;|$)/i
const FIRST_CHARACTER = /[^ \t\n\r]/

/** Decodes the bytes of a body. Throws PGRST102 for types other than JSON and for invalid UTF-8. */
export function decodeBody(body: Buffer | undefined, contentType: string | undefined): string {
  if (contentType !== undefined && contentType !== '' && !JSON_TYPE.test(contentType)) {
    throw invalidBody(`Content-Type not acceptable: ${contentType}`)
  }
  if (body === undefined) return ''
  if (!isUtf8(body)) throw invalidBody(EMPTY_OR_INVALID)
  return body.toString('utf8')
}

/**
 * Parses the rows of a body. With `columns`, the keys are known and only the database reads the text. Without, all
 * objects must have the same keys. Throws PGRST102.
 */
export function parseRows(text: string, columns: readonly string[] | null): Payload {
  const first = FIRST_CHARACTER.exec(text)?.[0]
  if (first !== '{' && first !== '[') throw invalidBody(EMPTY_OR_INVALID)
  const shape = first === '{' ? 'object' : 'array'
  if (columns !== null) return { text, shape, keys: columns, count: null }
  const value = parseJson(text)
  const objects = Array.isArray(value) ? value : [value]
  return { text, shape, keys: sharedKeys(objects), count: objects.length }
}

/** Parses the named arguments of a function call; an empty body has none. Throws PGRST102. */
export function parseArguments(text: string): Payload {
  if (text === '') return { text: '{}', shape: 'object', keys: [], count: 1 }
  const value = parseJson(text)
  if (!isRecord(value)) throw invalidBody(EMPTY_OR_INVALID)
  return { text, shape: 'object', keys: Object.keys(value), count: 1 }
}

/** Enough for the largest account: 500 categories, 20,000 prayers with two lists each, 20,000 updates and 150,000 prayed days. */
const IMPORT_MAX_OBJECTS_AND_LISTS = 81_000
const IMPORT_MAX_COMMAS = 600_000
const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = Buffer.from('"\\,{[')

/**
 * Throws PT413 if an import has too many values. Parsed, small values take many times the
 * memory of their text, so this counts them in the text.
 */
export function requireImportableSize(body: Buffer): void {
  let objectsAndLists = 0
  let commas = 0
  let isInString = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]
    if (isInString && byte === BACKSLASH) index += 1
    else if (byte === QUOTE) isInString = !isInString
    else if (isInString) continue
    else if (byte === COMMA) commas += 1
    else if (byte === BRACE || byte === BRACKET) objectsAndLists += 1
  }
  if (objectsAndLists > IMPORT_MAX_OBJECTS_AND_LISTS || commas > IMPORT_MAX_COMMAS) throw importTooLarge()
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
