import type { ResponseFormat } from './headers.ts'
import type { ComparisonOperator, Condition, IsValue } from './parse-filters.ts'
import type { OrderTerm } from './parse-query.ts'
import { hasAliases, type ReadPlan, type RowsPlan, type SelectedColumn } from './plan-read.ts'
import type { Column } from './schema-cache.ts'
import { bound, clauses, EMPTY, joinSql, sql, type Sql, trusted } from './sql.ts'

/** The single row that a read returns. Counts are text: the driver returns 64-bit integers as text. */
export interface ReadResult {
  row_count: string
  body: string
  total: string | null
}

/** The statement of a GET or HEAD on a table. Its result is a `ReadResult` with the response body ready to send. */
export function readSql(plan: ReadPlan): Sql {
  const source = sql`${plan.table.identifier} as t`
  return sql`select ${resultColumns(plan, source)} from (${rowsSql(plan, source)}) r`
}

/** The columns of a `ReadResult`, for rows `r` that were read from `source`. */
export function resultColumns(plan: RowsPlan, source: Sql): Sql {
  const body = plan.withBody ? bodyJson(rowJson(plan.selection), plan.format) : sql`''`
  return sql`count(*) as row_count, ${body} as body, ${totalSql(plan, source)} as total`
}

/** The rows; `source` must call them `t`. */
export function rowsSql(plan: RowsPlan, source: Sql): Sql {
  return clauses(
    sql`select ${selectList(plan.selection)}`,
    sql`from ${source}`,
    whereClause(plan.conditions),
    orderClause(plan.order),
    rangeClause(plan),
  )
}

/** The number of rows inside and outside the range; null if it was not requested. */
export function totalSql(plan: RowsPlan, source: Sql): Sql {
  if (!plan.countTotal) return sql`null`
  return sql`(${clauses(sql`select count(*) from ${source}`, whereClause(plan.conditions))})`
}

export function rangeClause({ range }: RowsPlan): Sql {
  const limit = range.limit === null ? EMPTY : sql`limit ${bound(range.limit)}`
  const offset = range.offset === 0 ? EMPTY : sql`offset ${bound(range.offset)}`
  return clauses(limit, offset)
}

/**
 * The select list for rows `t`. Aliases are sent by callers and must not become part of the statement: with aliases,
 * the columns are numbered here, and `rowJson` binds their names as values.
 */
export function selectList(selection: readonly SelectedColumn[]): Sql {
  const isNumbered = hasAliases(selection)
  return joinSql(
    selection.map(({ column, cast }, index) => {
      const value = sql`t.${column.identifier}${cast === null ? EMPTY : sql`::${cast}`}`
      if (isNumbered) return sql`${value} as ${numbered(index)}`
      return cast === null ? value : sql`${value} as ${column.identifier}`
    }),
    ', ',
  )
}

function numbered(index: number): Sql {
  return trusted(`c${index}`)
}

/** A row `r` with the columns of `selectList`, as JSON or something that `json_agg` turns into JSON. */
export function rowJson(selection: readonly SelectedColumn[]): Sql {
  if (!hasAliases(selection)) return sql`r`
  const entries = selection.map(
    ({ column, alias }, index) => sql`${bound(alias ?? column.name)}::text, r.${numbered(index)}`,
  )
  return sql`json_build_object(${joinSql(entries, ', ')})`
}

/** The response body: all rows, or the single one, as JSON text. */
export function bodyJson(row: Sql, format: ResponseFormat): Sql {
  const rows =
    format.shape === 'array'
      ? sql`coalesce(json_agg(${row}), '[]')`
      : sql`coalesce(json_agg(${row})->0, 'null')`
  return format.withoutNulls ? sql`json_strip_nulls(${rows})::text` : sql`(${rows})::text`
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
  isdistinct: sql`is distinct from`,
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
