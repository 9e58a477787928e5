import { PAGE_SIZE } from '#shared/limits.ts'
import { notImplemented, unknownColumn, unknownType } from './errors.ts'
import type { Preferences, ResponseFormat } from './headers.ts'
import type { Condition } from './parse-filters.ts'
import type { OrderTerm, ParsedQuery, SelectItem } from './parse-query.ts'
import { parseRange, type RowRange } from './row-range.ts'
import type { Column, Relation, Table } from './schema-cache.ts'
import { sql, type Sql } from './sql.ts'

/** How to read rows of a table or of a function. Everything it names is in the schema cache. */
export interface RowsPlan {
  selection: readonly SelectedColumn[]
  conditions: readonly Condition<Column>[]
  order: readonly OrderTerm<Column>[]
  range: RowRange
  /** Whether to count the rows outside the range too. */
  countTotal: boolean
  format: ResponseFormat
  /** False for HEAD. */
  withBody: boolean
}

export interface ReadPlan extends RowsPlan {
  table: Table
}

export interface ReadRequest {
  query: ParsedQuery
  preferences: Preferences
  format: ResponseFormat
  rangeHeader: string | null
  withBody: boolean
}

/** A column of the response. */
export interface SelectedColumn {
  column: Column
  /** Its name in the response if that differs from the column's. Sent by the caller. */
  alias: string | null
  cast: Sql | null
}

/** Throws 42703, 42704, PGRST103 and PGRST127. */
export function planRead(table: Table, request: ReadRequest): ReadPlan {
  return { table, ...planRows(table, request) }
}

/** Throws 42703, 42704, PGRST103 and PGRST127. */
export function planRows(relation: Relation, request: ReadRequest): RowsPlan {
  const { query } = request
  return {
    selection: planSelection(relation, query.select),
    conditions: planConditions(relation, query.conditions),
    order: planOrder(relation, query.order),
    range: limitToPage(parseRange(query.limit, query.offset, request.rangeHeader)),
    // `planned` and `estimated` counts are exact too: an estimate saves nothing on lists of this size.
    countTotal: request.preferences.count !== null,
    format: request.format,
    withBody: request.withBody,
  }
}

/** Finds a column by the name in a request. Throws 42703. */
export function findColumn(relation: Relation, name: string): Column {
  const column = relation.columns.get(name)
  if (column === undefined) throw unknownColumn(relation.name, name)
  return column
}

/** More than any query written by hand. Keeps the database from planning thousands of them. */
const MAX_CONDITIONS = 100

/** Throws 42703 for an unknown column, and PGRST127 for too many conditions. */
export function planConditions(
  relation: Relation,
  conditions: readonly Condition<string>[],
): readonly Condition<Column>[] {
  if (countConditions(conditions) > MAX_CONDITIONS) {
    throw notImplemented(`A request can have at most ${MAX_CONDITIONS} conditions.`)
  }
  return conditions.map((condition) => planCondition(relation, condition))
}

function countConditions(conditions: readonly Condition<string>[]): number {
  return conditions.reduce(
    (count, condition) => count + (condition.kind === 'group' ? countConditions(condition.conditions) : 1),
    0,
  )
}

function planCondition(relation: Relation, condition: Condition<string>): Condition<Column> {
  if (condition.kind !== 'group') return { ...condition, column: findColumn(relation, condition.column) }
  return {
    ...condition,
    conditions: condition.conditions.map((member) => planCondition(relation, member)),
  }
}

/** Only the first term of each column has an effect. Throws 42703 for an unknown column. */
export function planOrder(
  relation: Relation,
  terms: readonly OrderTerm<string>[],
): readonly OrderTerm<Column>[] {
  const byColumn = new Map<Column, OrderTerm<Column>>()
  for (const term of terms) {
    const column = findColumn(relation, term.column)
    if (!byColumn.has(column)) byColumn.set(column, { ...term, column })
  }
  return [...byColumn.values()]
}

/** Limits the response to the `max_rows` of a Supabase project. */
function limitToPage(range: RowRange): RowRange {
  return { ...range, limit: Math.min(range.limit ?? PAGE_SIZE, PAGE_SIZE) }
}

/** json_build_object takes at most 100 arguments, two for each entry. */
const MAX_BUILT_ENTRIES = 50

/** The types that a column can be cast to, under all names that PostgreSQL accepts. */
const CASTS: ReadonlyMap<string, Sql> = new Map<string, Sql>([
  ['text', sql`text`],
  ['varchar', sql`varchar`],
  ['int', sql`integer`],
  ['int2', sql`smallint`],
  ['int4', sql`integer`],
  ['int8', sql`bigint`],
  ['integer', sql`integer`],
  ['smallint', sql`smallint`],
  ['bigint', sql`bigint`],
  ['numeric', sql`numeric`],
  ['float4', sql`real`],
  ['float8', sql`double precision`],
  ['real', sql`real`],
  ['double precision', sql`double precision`],
  ['bool', sql`boolean`],
  ['boolean', sql`boolean`],
  ['date', sql`date`],
  ['time', sql`time`],
  ['timestamp', sql`timestamp`],
  ['timestamptz', sql`timestamptz`],
  ['interval', sql`interval`],
  ['uuid', sql`uuid`],
  ['json', sql`json`],
  ['jsonb', sql`jsonb`],
])

/**
 * `*` becomes all columns in the order of the table. Of several entries with the same name in the response, the last counts, as for
 * a client that parses it; repeating a column therefore does not multiply the response. Throws 42703, 42704 and PGRST127.
 */
export function planSelection(relation: Relation, items: readonly SelectItem[]): readonly SelectedColumn[] {
  const byName = new Map<string, SelectedColumn>()
  for (const item of items) {
    const selected = item.kind === 'all' ? allColumns(relation) : [planColumn(relation, item)]
    for (const entry of selected) byName.set(entry.alias ?? entry.column.name, entry)
  }
  const selection = [...byName.values()]
  if (isRenamedOrCast(selection) && selection.length > MAX_BUILT_ENTRIES) {
    throw notImplemented(
      `A selection with renamed or converted columns can have at most ${MAX_BUILT_ENTRIES} entries.`,
    )
  }
  return selection
}

function allColumns({ columns }: Relation): SelectedColumn[] {
  return [...columns.values()].map((column) => ({ column, alias: null, cast: null }))
}

/** Whether the response has names or types that are not in the schema cache. */
export function isRenamedOrCast(selection: readonly SelectedColumn[]): boolean {
  return selection.some(({ alias, cast }) => alias !== null || cast !== null)
}

function planColumn(relation: Relation, item: Extract<SelectItem, { kind: 'column' }>): SelectedColumn {
  return {
    column: findColumn(relation, item.column),
    alias: item.alias === item.column ? null : item.alias,
    cast: item.cast === null ? null : findCast(item.cast),
  }
}

function findCast(name: string): Sql {
  const cast = CASTS.get(name.toLowerCase())
  if (cast === undefined) throw unknownType(name)
  return cast
}
