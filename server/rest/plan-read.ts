import { PAGE_SIZE } from '#shared/limits.ts'
import type { Column, Relation, Table } from './catalogue.ts'
import type { Condition } from './conditions.ts'
import type { AnswerFormat } from './media-type.ts'
import type { OrderTerm } from './parse-order.ts'
import type { Preferences } from './parse-prefer.ts'
import type { ParsedQuery } from './parse-query.ts'
import { parseRange, type RowRange } from './parse-range.ts'
import { findColumn, planCondition } from './plan-conditions.ts'
import { planSelection, type SelectedColumn } from './plan-select.ts'

/** What is to be read, everything named being known to the catalogue. */
export interface RowsPlan {
  selection: readonly SelectedColumn[]
  conditions: readonly Condition<Column>[]
  order: readonly OrderTerm<Column>[]
  range: RowRange
  /** Is the number of rows without the range wanted too? */
  countTotal: boolean
  format: AnswerFormat
  /** False for HEAD. */
  withBody: boolean
}

export interface ReadPlan extends RowsPlan {
  table: Table
}

export interface ReadRequest {
  query: ParsedQuery
  preferences: Preferences
  format: AnswerFormat
  rangeHeader: string | null
  withBody: boolean
}

export function planRead(table: Table, request: ReadRequest): ReadPlan {
  return { table, ...planRows(table, request) }
}

/** Plans the reading of rows of a table or of a function. Throws 42703 for unknown columns, PGRST103 for ranges. */
export function planRows(relation: Relation, request: ReadRequest): RowsPlan {
  const { query } = request
  return {
    selection: planSelection(relation, query.select),
    conditions: query.conditions.map((condition) => planCondition(relation, condition)),
    order: planOrder(relation, query.order),
    range: atMostOnePage(parseRange(query.limit, query.offset, request.rangeHeader)),
    // A planner's estimate would save nothing at the size of one person's lists: every count is exact.
    countTotal: request.preferences.count !== null,
    format: request.format,
    withBody: request.withBody,
  }
}

export function planOrder(
  relation: Relation,
  terms: readonly OrderTerm<string>[],
): readonly OrderTerm<Column>[] {
  return terms.map((term) => ({ ...term, column: findColumn(relation, term.column) }))
}

/** One answer carries no more rows than one of a Supabase project's does. */
function atMostOnePage(range: RowRange): RowRange {
  return { ...range, limit: Math.min(range.limit ?? PAGE_SIZE, PAGE_SIZE) }
}
