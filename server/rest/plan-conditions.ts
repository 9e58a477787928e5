import type { Column, Relation } from './catalogue.ts'
import type { Condition } from './conditions.ts'
import { unknownColumn } from './refusals.ts'

/** Finds a column that a filter, an order or a selection names. Throws 42703, the database's own refusal. */
export function findColumn(relation: Relation, name: string): Column {
  const column = relation.columns.get(name)
  if (column === undefined) throw unknownColumn(relation.name, name)
  return column
}

/** Replaces the names in a condition by columns of the catalogue. */
export function planCondition(relation: Relation, condition: Condition<string>): Condition<Column> {
  if (condition.kind !== 'group') return { ...condition, column: findColumn(relation, condition.column) }
  return {
    ...condition,
    conditions: condition.conditions.map((member) => planCondition(relation, member)),
  }
}
