import { notImplemented, unknownColumn } from './errors.ts'
import type { Preferences, ResponseFormat } from './headers.ts'
import type { Condition } from './parse-filters.ts'
import type { OrderTerm, ParsedQuery, SelectItem } from './parse-query.ts'
import { parseRange, type RowRange } from './row-range.ts'
import type { Column, Table } from './schema-cache.ts'

/** How to read rows. Everything it names is in the schema cache. */
export interface ReadPlan {
  table: Table
  selection: readonly Column[]
  conditions: readonly Condition<Column>[]
  order: readonly OrderTerm<Column>[]
  range: RowRange
  /** Whether to count the rows outside the range too. */
  countTotal: boolean
  format: ResponseFormat
  /** False for HEAD. */
  withBody: boolean
}

export interface ReadRequest {
  query: ParsedQuery
  preferences: Preferences
  format: ResponseFormat
  withBody: boolean
}

/** Throws 42703, PGRST103 and PGRST127. */
export function planRead(table: Table, { query, preferences, format, withBody }: ReadRequest): ReadPlan {
  return {
    table,
    selection: planSelection(table, query.select),
    conditions: planConditions(table, query.conditions),
    order: planOrder(table, query.order),
    range: parseRange(query.limit, query.offset),
    // `planned` and `estimated` counts are exact too: an estimate saves nothing on lists of this size.
    countTotal: preferences.count !== null,
    format,
    withBody,
  }
}

/** Finds a column by the name in a request. Throws 42703. */
export function findColumn(table: Table, name: string): Column {
  const column = table.columns.get(name)
  if (column === undefined) throw unknownColumn(table.name, name)
  return column
}

/** More than any query written by hand. Keeps the database from planning thousands of them. */
const MAX_CONDITIONS = 100

/** Throws 42703 for an unknown column, and PGRST127 for too many conditions. */
export function planConditions(
  table: Table,
  conditions: readonly Condition<string>[],
): readonly Condition<Column>[] {
  if (countConditions(conditions) > MAX_CONDITIONS) {
    throw notImplemented(`A request can have at most ${MAX_CONDITIONS} conditions.`)
  }
  return conditions.map((condition) => planCondition(table, condition))
}

function countConditions(conditions: readonly Condition<string>[]): number {
  return conditions.reduce(
    (count, condition) => count + (condition.kind === 'group' ? countConditions(condition.conditions) : 1),
    0,
  )
}

function planCondition(table: Table, condition: Condition<string>): Condition<Column> {
  if (condition.kind !== 'group') return { ...condition, column: findColumn(table, condition.column) }
  return { ...condition, conditions: condition.conditions.map((member) => planCondition(table, member)) }
}

/** Only the first term of each column has an effect. Throws 42703 for an unknown column. */
export function planOrder(table: Table, terms: readonly OrderTerm<string>[]): readonly OrderTerm<Column>[] {
  const byColumn = new Map<Column, OrderTerm<Column>>()
  for (const term of terms) {
    const column = findColumn(table, term.column)
    if (!byColumn.has(column)) byColumn.set(column, { ...term, column })
  }
  return [...byColumn.values()]
}

/**
 * `*` becomes all columns in the order of the table. Each is returned once: repeating a column does not multiply the response.
 * Throws 42703.
 */
export function planSelection(table: Table, items: readonly SelectItem[]): readonly Column[] {
  const columns = items.flatMap((item) =>
    item.kind === 'all' ? [...table.columns.values()] : [findColumn(table, item.column)],
  )
  return [...new Set(columns)]
}
