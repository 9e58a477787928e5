import { filterRequired, invalidBody, notImplemented, unknownPayloadColumn } from './errors.ts'
import type { Preferences, ResponseFormat } from './headers.ts'
import type { Payload } from './parse-body.ts'
import type { Condition } from './parse-filters.ts'
import type { OrderTerm, ParsedQuery } from './parse-query.ts'
import { findColumn, planConditions, planOrder, planSelection } from './plan-read.ts'
import type { Column, Table } from './schema-cache.ts'

/** What a statement returns about the rows it wrote. */
export interface Returning {
  /** Null: only their number. */
  selection: readonly Column[] | null
  order: readonly OrderTerm<Column>[]
  format: ResponseFormat
}

export interface InsertPlan {
  table: Table
  payload: Payload
  columns: readonly Column[]
  /** The value of a missing key: the column's default, or null. */
  missing: 'default' | 'null'
  /** What to do with a row that exists already; null: fail with 23505. */
  conflict: { action: 'merge' | 'ignore'; columns: readonly Column[] } | null
  returning: Returning
}

export interface UpdatePlan {
  table: Table
  payload: Payload
  columns: readonly Column[]
  conditions: readonly Condition<Column>[]
  returning: Returning
}

export interface DeletePlan {
  table: Table
  conditions: readonly Condition<Column>[]
  returning: Returning
}

export interface WriteRequest {
  query: ParsedQuery
  preferences: Preferences
  format: ResponseFormat
}

/** Throws PGRST204 for an unknown column in the body, 42703 for one elsewhere, and the errors of `planReturning`. */
export function planInsert(table: Table, request: WriteRequest, payload: Payload): InsertPlan {
  const columns = payloadColumns(table, payload)
  if (columns.length === 0 && payload.count !== null && payload.count > 1) {
    throw invalidBody('Rows without any column can only be inserted one at a time')
  }
  return {
    table,
    payload,
    columns,
    missing: request.preferences.missing ?? 'null',
    conflict: planConflict(table, request),
    returning: planReturning(table, request),
  }
}

/** Throws 21000 if there is no filter, and the errors of `planInsert`. */
export function planUpdate(table: Table, request: WriteRequest, payload: Payload): UpdatePlan {
  if (request.query.conditions.length === 0) throw filterRequired('UPDATE')
  return {
    table,
    payload,
    columns: payloadColumns(table, payload),
    conditions: planConditions(table, request.query.conditions),
    returning: planReturning(table, request),
  }
}

/** Throws 21000 if there is no filter, 42703 for an unknown column, and the errors of `planReturning`. */
export function planDelete(table: Table, request: WriteRequest): DeletePlan {
  if (request.query.conditions.length === 0) throw filterRequired('DELETE')
  return {
    table,
    conditions: planConditions(table, request.query.conditions),
    returning: planReturning(table, request),
  }
}

function payloadColumns(table: Table, payload: Payload): Column[] {
  return payload.keys.map((key) => {
    const column = table.columns.get(key)
    if (column === undefined) throw unknownPayloadColumn(table.name, key)
    return column
  })
}

/** Rows are compared by the primary key unless `on_conflict` names other columns. */
function planConflict(table: Table, { query, preferences }: WriteRequest): InsertPlan['conflict'] {
  if (preferences.resolution === null) return null
  const columns = query.onConflict?.map((name) => findColumn(table, name)) ?? table.primaryKey
  if (columns.length === 0) return null
  return { action: preferences.resolution === 'merge-duplicates' ? 'merge' : 'ignore', columns }
}

/** Throws 42703 and PGRST127. */
function planReturning(table: Table, { query, preferences, format }: WriteRequest): Returning {
  // A response with only some of the rows would suggest that the others were not changed.
  if (query.limit !== null || query.offset !== null) {
    throw notImplemented('limit and offset are only available when reading')
  }
  const returnsRows = preferences.return === 'representation'
  return {
    selection: returnsRows ? planSelection(table, query.select) : null,
    order: returnsRows ? planOrder(table, query.order) : [],
    format,
  }
}
