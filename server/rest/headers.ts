import type { IncomingHttpHeaders } from 'node:http'
import {
  EXPOSED_SCHEMA,
  invalidPreferences,
  unavailableMediaType,
  unknownSchema,
  unsupported,
} from './errors.ts'

/** What the headers of a request ask for. */
export interface RequestOptions {
  preferences: Preferences
  format: ResponseFormat
  /** Whether the request names the schema; the response then names it too. */
  namesProfile: boolean
}

/** Parses the headers that all requests share. Throws PGRST106, PGRST107, PGRST122 and PGRST127. */
export function parseHeaders(method: string, headers: IncomingHttpHeaders): RequestOptions {
  const prefer = headers['prefer']
  return {
    namesProfile: parseProfile(method, headers),
    preferences: parsePrefer(Array.isArray(prefer) ? prefer.join(',') : prefer),
    format: chooseFormat(headers.accept),
  }
}

/** The preferences of the `Prefer` header (RFC 7240). Null means not given. */
export interface Preferences {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | null
  missing: 'default' | 'null' | null
  return: 'representation' | 'minimal' | null
  count: 'exact' | 'planned' | 'estimated' | null
  handling: 'strict' | 'lenient' | null
}

const NO_PREFERENCES: Preferences = {
  resolution: null,
  missing: null,
  return: null,
  count: null,
  handling: null,
}

const KNOWN_PREFERENCES: ReadonlyMap<string, Partial<Preferences>> = new Map<string, Partial<Preferences>>([
  ['resolution=merge-duplicates', { resolution: 'merge-duplicates' }],
  ['resolution=ignore-duplicates', { resolution: 'ignore-duplicates' }],
  ['missing=default', { missing: 'default' }],
  ['missing=null', { missing: 'null' }],
  ['return=representation', { return: 'representation' }],
  ['return=minimal', { return: 'minimal' }],
  ['count=exact', { count: 'exact' }],
  ['count=planned', { count: 'planned' }],
  ['count=estimated', { count: 'estimated' }],
  ['handling=strict', { handling: 'strict' }],
  ['handling=lenient', { handling: 'lenient' }],
  // Accepted without effect, like PostgREST's default db-tx-end=commit.
  ['tx=commit', {}],
  ['tx=rollback', {}],
])

/**
 * Parses the `Prefer` header. Of contradicting preferences, the first counts. With `handling=strict`, throws PGRST122
 * for unknown preferences; throws PGRST127 for `return=headers-only`, which changes what a response has.
 */
export function parsePrefer(header: string | undefined): Preferences {
  if (header === undefined || header === '') return NO_PREFERENCES
  const given = header.split(',').map((entry) => entry.trim())
  if (given.includes('return=headers-only')) throw unsupported('return=headers-only')
  const preferences = { ...NO_PREFERENCES }
  // In reverse, so that the first one is assigned last.
  for (const entry of given.toReversed()) Object.assign(preferences, KNOWN_PREFERENCES.get(entry))
  if (preferences.handling === 'strict') {
    const unknown = given.filter((entry) => entry !== '' && !KNOWN_PREFERENCES.has(entry))
    if (unknown.length > 0) throw invalidPreferences(unknown)
  }
  return preferences
}

/** The `Preference-Applied` header, listing the preferences that had an effect; no header if none had. */
export function preferenceApplied(applied: Partial<Preferences>): Record<string, string> {
  const names = ['resolution', 'missing', 'return', 'count', 'handling'] as const
  const entries = names.flatMap((name) => {
    const value = applied[name] ?? null
    return value === null ? [] : [`${name}=${value}`]
  })
  return entries.length === 0 ? {} : { 'preference-applied': entries.join(', ') }
}

/** How rows are written: as an array, or a single one as an object. */
export interface ResponseFormat {
  shape: 'array' | 'object'
  contentType: string
}

const UTF8 = '; charset=utf-8'
const OBJECT_TYPE = 'application/vnd.pgrst.object+json'
const JSON_ARRAY: ResponseFormat = { shape: 'array', contentType: `application/json${UTF8}` }
const JSON_OBJECT: ResponseFormat = { shape: 'object', contentType: `${OBJECT_TYPE}${UTF8}` }
const STRIPPED = 'nulls=stripped'

const FORMATS: ReadonlyMap<string, ResponseFormat> = new Map([
  ['*/*', JSON_ARRAY],
  ['application/*', JSON_ARRAY],
  ['application/json', JSON_ARRAY],
  ['application/vnd.pgrst.array+json', JSON_ARRAY],
  [OBJECT_TYPE, JSON_OBJECT],
  ['application/vnd.pgrst.object', JSON_OBJECT],
])

/** Chooses the format by the `Accept` header and its weights. Throws PGRST107 if none of its types is available. */
export function chooseFormat(accept: string | undefined): ResponseFormat {
  if (accept === undefined || accept === '') return JSON_ARRAY
  const entries = accept.split(',').map(parseMediaType)
  const acceptable = entries.filter((entry) => entry.weight > 0).toSorted((a, b) => b.weight - a.weight)
  for (const { type } of acceptable) {
    const format = FORMATS.get(type)
    if (format !== undefined) return format
  }
  throw unavailableMediaType(entries.map((entry) => entry.type).join(', '))
}

function parseMediaType(entry: string): { type: string; weight: number } {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const parsed = weight === undefined ? 1 : Number(weight)
  // PostgREST's parameter makes it a type of its own, which is not available here.
  return {
    type: parameters.includes(STRIPPED) ? `${type};${STRIPPED}` : type,
    weight: Number.isNaN(parsed) ? 0 : parsed,
  }
}

/** The headers of a response with a body: its type, and the schema if the request named it. */
export function contentHeaders({ format, namesProfile }: RequestOptions): Record<string, string> {
  return {
    'content-type': format.contentType,
    ...(namesProfile ? { 'content-profile': EXPOSED_SCHEMA } : {}),
  }
}

/** Reads name the schema in `Accept-Profile`, other requests in `Content-Profile`. */
function parseProfile(method: string, headers: IncomingHttpHeaders): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  const profile = headers[isRead ? 'accept-profile' : 'content-profile']
  if (typeof profile !== 'string') return false
  if (profile !== EXPOSED_SCHEMA) throw unknownSchema(profile)
  return true
}
