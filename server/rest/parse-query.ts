import { unescape } from 'node:querystring'
import { aggregatesNotAllowed, embeddingUnsupported, notEmbedded, unsupported } from './errors.ts'
import { type Condition, isLogicKey, parseFilter, parseLogic } from './parse-filters.ts'
import { TextScanner } from './text-scanner.ts'

/** A decoded parameter of the query string. */
export type QueryParameter = readonly [key: string, value: string]

/** An entry of `select`: all columns, or one. */
export type SelectItem = { kind: 'all' } | { kind: 'column'; column: string }

/** A term of `order`. Null means PostgreSQL's default: ascending, and nulls last if ascending. */
export interface OrderTerm<Column> {
  column: Column
  direction: 'asc' | 'desc' | null
  nulls: 'nullsfirst' | 'nullslast' | null
}

/** A parsed query string. Its names have not been looked up in the schema cache yet. */
export interface ParsedQuery {
  select: readonly SelectItem[]
  conditions: readonly Condition<string>[]
  order: readonly OrderTerm<string>[]
  limit: string | null
  offset: string | null
  columns: readonly string[] | null
  onConflict: readonly string[] | null
}

/** Belongs to the gateway: the anon key for clients that can't send headers. */
const API_KEY_PARAMETER = 'apikey'

/** Splits and decodes the query string of a URL. Never fails: invalid percent-encoding is kept as it is. */
export function parseParameters(url: string): QueryParameter[] {
  const start = url.indexOf('?')
  if (start === -1) return []
  const parameters: QueryParameter[] = []
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const end = pair.indexOf('=')
    const key = decode(end === -1 ? pair : pair.slice(0, end))
    if (key !== API_KEY_PARAMETER) parameters.push([key, end === -1 ? '' : decode(pair.slice(end + 1))])
  }
  return parameters
}

function decode(text: string): string {
  return unescape(text.replaceAll('+', ' '))
}

const RESERVED: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
])
const EMBEDDED = /^(.+)\.(?:order|limit|offset)$/s

/**
 * Parses all parameters. Repeated `order` parameters are concatenated; of other reserved parameters the first counts.
 * Throws the errors of the individual parsers.
 */
export function parseQuery(parameters: readonly QueryParameter[]): ParsedQuery {
  const reserved = new Map<string, string>()
  const conditions: Condition<string>[] = []
  const order: OrderTerm<string>[] = []
  for (const [key, value] of parameters) {
    if (!RESERVED.has(key)) conditions.push(parseCondition(key, value))
    else if (key === 'order') order.push(...(value === '' ? [] : parseOrder(value)))
    else if (!reserved.has(key)) reserved.set(key, value)
  }
  const columns = reserved.get('columns') ?? ''
  const onConflict = reserved.get('on_conflict') ?? ''
  return {
    select: parseSelect(reserved.get('select') ?? '*'),
    conditions,
    order,
    limit: reserved.get('limit') ?? null,
    offset: reserved.get('offset') ?? null,
    columns: columns === '' ? null : parseNames('columns', columns),
    onConflict: onConflict === '' ? null : parseNames('on_conflict', onConflict),
  }
}

function parseCondition(key: string, value: string): Condition<string> {
  if (isLogicKey(key)) return parseLogic(key, value)
  const embedded = EMBEDDED.exec(key)?.[1]
  if (embedded !== undefined) throw notEmbedded(embedded)
  return parseFilter(key, value)
}

/**
 * Parses `select=id,name`. Throws PGRST100 for a syntax error, PGRST123 for aggregates, and PGRST127 for embedded tables, JSON paths,
 * and columns that are renamed or cast.
 */
export function parseSelect(text: string): SelectItem[] {
  if (text.trim() === '') return [{ kind: 'all' }]
  const scanner = new TextScanner(text, 'select parameter')
  const items: SelectItem[] = []
  do items.push(parseSelectItem(scanner))
  while (scanner.take(','))
  scanner.expectEnd()
  return items
}

function parseSelectItem(scanner: TextScanner): SelectItem {
  scanner.skipSpaces()
  if (scanner.take('*')) {
    scanner.skipSpaces()
    return { kind: 'all' }
  }
  if (scanner.take('...') || scanner.take('..')) throw embeddingUnsupported(scanner.name())
  const column = scanner.name()
  if (scanner.sees('.') || (column === 'count' && scanner.sees('()'))) throw aggregatesNotAllowed()
  if (scanner.sees('(') || scanner.sees('!')) throw embeddingUnsupported(column)
  if (scanner.sees('->')) throw unsupported('JSON paths (-> and ->>)')
  if (scanner.sees('::')) throw unsupported('casts (::)')
  if (scanner.sees(':')) throw unsupported('renamed columns (:)')
  scanner.skipSpaces()
  return { kind: 'column', column }
}

/** Parses `order=created_at.desc.nullslast,id`. Throws PGRST100 for a syntax error and PGRST108 for another table. */
export function parseOrder(text: string): OrderTerm<string>[] {
  const scanner = new TextScanner(text, 'order')
  const terms: OrderTerm<string>[] = []
  do terms.push(parseOrderTerm(scanner))
  while (scanner.take(','))
  scanner.expectEnd()
  return terms
}

function parseOrderTerm(scanner: TextScanner): OrderTerm<string> {
  scanner.skipSpaces()
  const column = scanner.name()
  if (scanner.sees('(')) throw notEmbedded(column)
  const direction = scanner.take('.asc') ? 'asc' : scanner.take('.desc') ? 'desc' : null
  const nulls = scanner.take('.nullsfirst') ? 'nullsfirst' : scanner.take('.nullslast') ? 'nullslast' : null
  scanner.skipSpaces()
  if (scanner.isAtEnd || scanner.sees(',')) return { column, direction, nulls }
  if (nulls !== null) throw scanner.failure('"," or end of input')
  if (direction !== null) throw scanner.failure('"nullsfirst" or "nullslast"')
  throw scanner.failure('"asc", "desc", "nullsfirst" or "nullslast"')
}

/** Parses a list of column names, and removes duplicates. Throws PGRST100 for a syntax error. */
function parseNames(what: 'columns' | 'on_conflict', text: string): string[] {
  const scanner = new TextScanner(text, `${what} parameter`)
  const names = new Set<string>()
  do {
    scanner.skipSpaces()
    names.add(scanner.name())
    scanner.skipSpaces()
  } while (scanner.take(','))
  scanner.expectEnd()
  return [...names]
}
