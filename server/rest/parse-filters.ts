import type { ComparisonOperator, Condition, State } from './conditions.ts'
import { notEmbedded } from './refusals.ts'
import { TextScanner } from './text-scanner.ts'

type WithoutColumn<T> = T extends { column: string } ? Omit<T, 'column'> : never
/** A condition whose column is not known yet: what follows the `=` in `column=eq.value`. */
export type Operation = WithoutColumn<Condition<string>>

const COMPARISONS: ReadonlyMap<string, ComparisonOperator> = new Map(
  (['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'isdistinct'] as const).map((name) => [
    name,
    name,
  ]),
)
const STATES: ReadonlyMap<string, State> = new Map(
  (['null', 'not_null', 'true', 'false', 'unknown'] as const).map((name) => [name, name]),
)
const OPERATOR = /[a-z]+/y
const STATE = /[a-z_]+/iy
const LIST_ELEMENT = /[^,)]*/y

/**
 * Reads `name=operator.value` of the query string, the value being everything after the operator.
 * Throws PGRST100 if it cannot be read and PGRST108 for a filter on another table.
 */
export function parseFilter(key: string, value: string): Condition<string> {
  const column = parseFilterKey(key)
  const scanner = new TextScanner(value, 'filter')
  const operation = parseOperation(scanner, () => scanner.rest())
  scanner.expectEnd()
  return { ...operation, column }
}

function parseFilterKey(key: string): string {
  const scanner = new TextScanner(key, 'tree path')
  const name = scanner.name()
  if (scanner.take('.')) throw notEmbedded(name)
  scanner.expectEnd()
  return name
}

/** Reads an operator and its value; how a single value ends depends on where it stands. */
export function parseOperation(scanner: TextScanner, readValue: () => string): Operation {
  const negated = scanner.take('not.')
  const start = scanner.position
  const name = scanner.match(OPERATOR) ?? ''
  if (name === 'in' && scanner.take('.')) return { kind: 'in', negated, values: parseList(scanner) }
  if (name === 'is' && scanner.take('.')) return { kind: 'is', negated, state: parseState(scanner) }
  const operator = COMPARISONS.get(name)
  if (operator !== undefined && scanner.take('.')) {
    return { kind: 'comparison', negated, operator, value: readValue() }
  }
  scanner.returnTo(start)
  throw scanner.failure(negated ? 'operator (eq, gt, ...)' : '"not" or operator (eq, gt, ...)')
}

const OPERATION = /^(?:not\.[a-z]|(?:eq|neq|gte?|lte?|i?like|isdistinct|is|in)\.)/

/** Does this value begin like a filter's? */
export function isOperation(value: string): boolean {
  return OPERATION.test(value)
}

function parseState(scanner: TextScanner): State {
  const start = scanner.position
  const state = STATES.get(scanner.match(STATE)?.toLowerCase() ?? '')
  if (state !== undefined) return state
  scanner.returnTo(start)
  throw scanner.failure('isVal: (null, not_null, true, false, unknown)')
}

/** `(a,"b,c",d)`. An empty pair of brackets is an empty list. */
function parseList(scanner: TextScanner): string[] {
  scanner.skipSpaces()
  scanner.expect('(')
  const values: string[] = []
  do values.push(parseListElement(scanner))
  while (scanner.take(','))
  scanner.expect(')')
  scanner.skipSpaces()
  return values.length === 1 && values[0] === '' ? [] : values
}

/** A value that ends at a comma or a closing bracket, unless it is in double quotes. */
export function parseListElement(scanner: TextScanner): string {
  const start = scanner.position
  const quoted = scanner.quoted()
  if (quoted !== null && (scanner.isAtEnd || scanner.sees(',') || scanner.sees(')'))) return quoted
  scanner.returnTo(start)
  return scanner.match(LIST_ELEMENT) ?? ''
}
