import type { Column } from './catalogue.ts'
import type { ComparisonOperator, Condition, State } from './conditions.ts'
import type { OrderTerm } from './parse-order.ts'
import { bound, isNothing, joinSql, NOTHING, sql, type Sql } from './sql-fragment.ts'

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

const STATES: Readonly<Record<State, Sql>> = {
  null: sql`is null`,
  not_null: sql`is not null`,
  true: sql`is true`,
  false: sql`is false`,
  unknown: sql`is unknown`,
}

/** The `where` clause for rows called `t`; nothing for no conditions. */
export function whereClause(conditions: readonly Condition<Column>[]): Sql {
  if (conditions.length === 0) return NOTHING
  return sql`where ${joinSql(conditions.map(conditionSql), ' and ')}`
}

function conditionSql(condition: Condition<Column>): Sql {
  const positive = positiveSql(condition)
  return condition.negated ? sql`not (${positive})` : positive
}

function positiveSql(condition: Condition<Column>): Sql {
  switch (condition.kind) {
    case 'comparison': {
      const value = bound(patternOf(condition.operator, condition.value))
      return sql`t.${condition.column.identifier} ${OPERATORS[condition.operator]} ${value}`
    }
    case 'in':
      return sql`t.${condition.column.identifier} = any(${bound(condition.values)})`
    case 'is':
      return sql`t.${condition.column.identifier} ${STATES[condition.state]}`
    case 'group':
      return sql`(${joinSql(condition.conditions.map(conditionSql), ` ${condition.operator} `)})`
  }
}

/** In an address `*` stands for `%`, which would have to be encoded. */
function patternOf(operator: ComparisonOperator, value: string): string {
  return operator === 'like' || operator === 'ilike' ? value.replaceAll('*', '%') : value
}

/** The `order by` clause for rows called `t`; nothing for no terms. */
export function orderClause(terms: readonly OrderTerm<Column>[]): Sql {
  if (terms.length === 0) return NOTHING
  return sql`order by ${joinSql(terms.map(orderTermSql), ', ')}`
}

function orderTermSql({ column, direction, nulls }: OrderTerm<Column>): Sql {
  const directionSql = direction === null ? NOTHING : direction === 'asc' ? sql` asc` : sql` desc`
  const nullsSql = nulls === null ? NOTHING : nulls === 'nullsfirst' ? sql` nulls first` : sql` nulls last`
  return sql`t.${column.identifier}${directionSql}${nullsSql}`
}

/** Joins clauses by spaces, leaving out those that are nothing. */
export function clauses(...parts: readonly Sql[]): Sql {
  return joinSql(
    parts.filter((part) => !isNothing(part)),
    ' ',
  )
}
