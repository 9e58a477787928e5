/** Operators that compare a column with one value. */
export type ComparisonOperator = 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'ilike' | 'isdistinct'

/** What `is` can be asked for. */
export type State = 'null' | 'not_null' | 'true' | 'false' | 'unknown'

/**
 * What rows must meet. `Column` is the name as sent until the plan has found it in the catalogue, and the
 * catalogue's column from then on.
 */
export type Condition<Column> =
  | { kind: 'comparison'; negated: boolean; column: Column; operator: ComparisonOperator; value: string }
  | { kind: 'in'; negated: boolean; column: Column; values: readonly string[] }
  | { kind: 'is'; negated: boolean; column: Column; state: State }
  | { kind: 'group'; negated: boolean; operator: 'and' | 'or'; conditions: readonly Condition<Column>[] }
