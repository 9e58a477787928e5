import type { Column, Table } from './catalogue.ts'
import type { Condition } from './conditions.ts'
import type { AnswerFormat } from './media-type.ts'
import type { OrderTerm } from './parse-order.ts'
import type { Preferences } from './parse-prefer.ts'
import type { ParsedQuery } from './parse-query.ts'
import type { Payload } from './payload.ts'
import { planCondition } from './plan-conditions.ts'
import { planOrder } from './plan-read.ts'
import { planSelection, type SelectedColumn } from './plan-select.ts'
import {
  filterRequired,
  invalidBody,
  notImplemented,
  unknownColumn,
  unknownPayloadColumn,
} from './refusals.ts'

/** What the answer to a change tells of the rows that were changed. */
export interface WrittenAnswer {
  /** Whole rows, the address of the one row, or only how many there were. */
  tells: 'rows' | 'location' | 'count'
  selection: readonly SelectedColumn[]
  order: readonly OrderTerm<Column>[]
  format: AnswerFormat
}

export interface InsertPlan {
  table: Table
  payload: Payload
  columns: readonly Column[]
  /** Does a key that is missing mean the column's default, or null? */
  missing: 'default' | 'null'
  /** What to do with a row that is already there; null refuses it. */
  conflict: { action: 'merge' | 'ignore'; columns: readonly Column[] } | null
  answer: WrittenAnswer
}

export interface UpdatePlan {
  table: Table
  payload: Payload
  columns: readonly Column[]
  conditions: readonly Condition<Column>[]
  answer: WrittenAnswer
}

export interface DeletePlan {
  table: Table
  conditions: readonly Condition<Column>[]
  answer: WrittenAnswer
}

export interface WriteRequest {
  query: ParsedQuery
  preferences: Preferences
  format: AnswerFormat
}

/** Throws PGRST204 for unknown columns of the body, 42703 for unknown columns elsewhere. */
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
    answer: planAnswer(table, request),
  }
}

/** As for an insert; a change without any filter is refused with 21000. */
export function planUpdate(table: Table, request: WriteRequest, payload: Payload): UpdatePlan {
  if (request.query.conditions.length === 0) throw filterRequired('UPDATE')
  return {
    table,
    payload,
    columns: payloadColumns(table, payload),
    conditions: planConditions(table, request),
    answer: planAnswer(table, request),
  }
}

export function planDelete(table: Table, request: WriteRequest): DeletePlan {
  if (request.query.conditions.length === 0) throw filterRequired('DELETE')
  return { table, conditions: planConditions(table, request), answer: planAnswer(table, request) }
}

function planConditions(table: Table, request: WriteRequest): Condition<Column>[] {
  return request.query.conditions.map((condition) => planCondition(table, condition))
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
  const columns = query.onConflict?.map((name) => {
    const column = table.columns.get(name)
    if (column === undefined) throw unknownColumn(table.name, name)
    return column
  })
  const target = columns ?? table.primaryKey
  if (target.length === 0) return null
  return { action: preferences.resolution === 'merge-duplicates' ? 'merge' : 'ignore', columns: target }
}

function planAnswer(table: Table, { query, preferences, format }: WriteRequest): WrittenAnswer {
  // Taking part of the rows away from the answer would read as if the others had not been changed.
  if (query.limit !== null || query.offset !== null) {
    throw notImplemented('limit and offset are only available when reading')
  }
  const tells =
    preferences.return === 'representation'
      ? 'rows'
      : preferences.return === 'headers-only'
        ? 'location'
        : 'count'
  return {
    tells,
    selection: tells === 'rows' ? planSelection(table, query.select) : [],
    order: tells === 'rows' ? planOrder(table, query.order) : [],
    format,
  }
}
