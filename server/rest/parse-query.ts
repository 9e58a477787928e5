import type { Condition } from './conditions.ts'
import { parseFilter } from './parse-filters.ts'
import { isLogicKey, parseLogic } from './parse-logic.ts'
import { parseNames } from './parse-names.ts'
import { parseOrder, type OrderTerm } from './parse-order.ts'
import { parseSelect, type SelectItem } from './parse-select.ts'
import type { Parameter } from './query-string.ts'
import { notEmbedded } from './refusals.ts'

/** What a query string asks for, read but not yet held against the catalogue. */
export interface ParsedQuery {
  select: readonly SelectItem[]
  conditions: readonly Condition<string>[]
  order: readonly OrderTerm<string>[]
  limit: string | null
  offset: string | null
  /** Null when not given. */
  columns: readonly string[] | null
  onConflict: readonly string[] | null
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
 * Reads a whole query string; orders given twice are joined, of any other reserved parameter the first counts.
 * `relation` is only named in errors. Throws the refusals of the single parsers.
 */
export function parseParameters(parameters: readonly Parameter[], relation: string): ParsedQuery {
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
    select: parseSelect(reserved.get('select') ?? '*', relation),
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

/** Is this a name that the query string gives a meaning of its own? */
export function isReserved(key: string): boolean {
  return RESERVED.has(key) || isLogicKey(key)
}
