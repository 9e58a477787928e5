import type { ResponseFormat } from './headers.ts'
import type { ComparisonOperator, Condition, IsValue } from './parse-filters.ts'
import type { OrderTerm } from './parse-query.ts'
import type { ReadPlan } from './plan-read.ts'
import type { Column } from './schema-cache.ts'
import { bound, clauses, EMPTY, joinSql, sql, type Sql } from './sql.ts'

/** The single row that a read returns. Counts are text: the driver returns 64-bit integers as text. */
export interface ReadResult {
  row_count: string
  body: string
  total: string | null
}

/** The statement of a GET or HEAD on a table. Its result is a `ReadResult` with the response body ready to send. */
export function readSql(plan: ReadPlan): Sql {
  const { format, withBody } = plan
  const rows = rowsSql(plan)
  const body = withBody ? bodyColumns(format) : sql`'' as body`
  const from = withBody ? jsonRows(rows) : sql`(${rows}) r`
  return sql`select count(*) as row_count, ${body}, ${totalSql(plan)} as total from ${from}`
}

/** The selected columns of the rows in the range. */
function rowsSql({ table, selection, conditions, order, range }: ReadPlan): Sql {
  return clauses(
    sql`select ${selectList(selection)} from ${table.identifier} as t`,
    whereClause(conditions),
    orderClause(order),
    sql`limit ${bound(range.limit)}`,
    range.offset === 0 ? EMPTY : sql`offset ${bound(range.offset)}`,
  )
}

/** The number of rows inside and outside the range; null if it was not requested. */
function totalSql({ table, conditions, countTotal }: ReadPlan): Sql {
  if (!countTotal) return sql`null`
  return sql`(${clauses(sql`select count(*) from ${table.identifier} as t`, whereClause(conditions))})`
}

/** Columns of rows `t`. */
export function selectList(columns: readonly Column[]): Sql {
  return joinSql(
    columns.map((column) => sql`t.${column.identifier}`),
    ', ',
  )
}

/** JSON texts `j.row` of rows. `offset 0` keeps PostgreSQL from merging the queries, which would compute each text twice. */
export function jsonRows(rows: Sql): Sql {
  return sql`(select to_json(r)::text as row from (${rows}) r offset 0) j`
}

/**
 * The response body, all rows of `jsonRows` or the single one, and the limit of its size. Rows of up to 1 KiB are not counted, because
 * PL/pgSQL would cost usual lists a tenth of their time.
 */
export function bodyColumns({ shape }: ResponseFormat): Sql {
  const body =
    shape === 'array'
      ? sql`'[' || coalesce(string_agg(j.row, E', \\n '), '') || ']'`
      : sql`coalesce(string_agg(j.row, ''), 'null')`
  return sql`${body} as body, intercede.limit_result_bytes(octet_length(j.row)) filter (where octet_length(j.row) > 1024) as bytes`
}

const OPERATORS: Readonly<Record<ComparisonOperator, Sql>> = {
  eq: sql`=`,
  neq: sql`<>`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
  like: sql`like`,
  ilike: sql`ilike`,
}

const IS_VALUES: Readonly<Record<IsValue, Sql>> = {
  null: sql`is null`,
  not_null: sql`is not null`,
  true: sql`is true`,
  false: sql`is false`,
  unknown: sql`is unknown`,
}

/** The `where` clause for rows `t`; empty if there are no conditions. */
export function whereClause(conditions: readonly Condition<Column>[]): Sql {
  if (conditions.length === 0) return EMPTY
  return sql`where ${joinSql(conditions.map(conditionSql), ' and ')}`
}

function conditionSql(condition: Condition<Column>): Sql {
  const positive = positiveSql(condition)
  return condition.negated ? sql`not (${positive})` : positive
}

function positiveSql(condition: Condition<Column>): Sql {
  switch (condition.kind) {
    case 'comparison': {
      const value = bound(toPattern(condition.operator, condition.value))
      return sql`t.${condition.column.identifier} ${OPERATORS[condition.operator]} ${value}`
    }
    case 'in':
      return sql`t.${condition.column.identifier} = any(${bound(condition.values)})`
    case 'is':
      return sql`t.${condition.column.identifier} ${IS_VALUES[condition.value]}`
    case 'group':
      return sql`(${joinSql(condition.conditions.map(conditionSql), ` ${condition.operator} `)})`
  }
}

/** In URLs `*` stands for `%`, which would have to be percent-encoded. */
function toPattern(operator: ComparisonOperator, value: string): string {
  return operator === 'like' || operator === 'ilike' ? value.replaceAll('*', '%') : value
}

/** The `order by` clause for rows `t`; empty if there are no terms. */
export function orderClause(terms: readonly OrderTerm<Column>[]): Sql {
  if (terms.length === 0) return EMPTY
  return sql`order by ${joinSql(terms.map(orderTermSql), ', ')}`
}

function orderTermSql({ column, direction, nulls }: OrderTerm<Column>): Sql {
  const directionSql = direction === null ? EMPTY : direction === 'asc' ? sql` asc` : sql` desc`
  const nullsSql = nulls === null ? EMPTY : nulls === 'nullsfirst' ? sql` nulls first` : sql` nulls last`
  return sql`t.${column.identifier}${directionSql}${nullsSql}`
}
