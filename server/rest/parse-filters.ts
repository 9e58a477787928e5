import { notEmbedded, unsupported } from './errors.ts'
import { TextScanner } from './text-scanner.ts'

/** Operators that compare a column with one value. */
export type ComparisonOperator = (typeof COMPARISONS)[number]

/** The values that `is` accepts. */
export type IsValue = (typeof IS_VALUES)[number]

/** A condition on rows. `Column` is the name as sent, until planning replaces it by a column of the schema cache. */
export type Condition<Column> =
  | { kind: 'comparison'; negated: boolean; column: Column; operator: ComparisonOperator; value: string }
  | { kind: 'in'; negated: boolean; column: Column; values: readonly string[] }
  | { kind: 'is'; negated: boolean; column: Column; value: IsValue }
  | { kind: 'group'; negated: boolean; operator: 'and' | 'or'; conditions: readonly Condition<Column>[] }

type WithoutColumn<T> = T extends { column: string } ? Omit<T, 'column'> : never
/** Operator and value, without the column: what follows the `=` in `column=eq.value`. */
type OperatorExpression = WithoutColumn<Condition<string>>

const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'] as const
/** PostgREST's operators for text search, arrays, ranges, regular expressions and `is distinct from`. */
const UNSUPPORTED_OPERATORS: ReadonlySet<string> = new Set(
  'adj cd cs fts imatch isdistinct match nxl nxr ov phfts plfts sl sr wfts'.split(' '),
)
const IS_VALUES = ['null', 'not_null', 'true', 'false', 'unknown'] as const
const OPERATOR = /[a-z]+/y
const IS_VALUE = /[a-z_]+/iy
const LIST_ELEMENT = /[^,)]*/y
const LOGIC_KEY = /^(?:(.*)\.)?(and|or)$/s
/** Deeper than any query written by hand. Keeps a hostile request from exhausting the stack here or in the database. */
const MAX_DEPTH = 32

/**
 * Parses `name=operator.value`; the value is everything after the operator.
 * Throws PGRST100 for a syntax error and PGRST108 for a filter on another table.
 */
export function parseFilter(key: string, value: string): Condition<string> {
  const column = parseFilterKey(key)
  const scanner = new TextScanner(value, 'filter')
  const expression = parseOperatorExpression(scanner, () => scanner.rest())
  scanner.expectEnd()
  return { ...expression, column }
}

function parseFilterKey(key: string): string {
  const scanner = new TextScanner(key, 'tree path')
  const name = scanner.name()
  if (scanner.sees('->')) throw unsupported('JSON paths (-> and ->>)')
  if (scanner.take('.')) throw notEmbedded(name)
  scanner.expectEnd()
  return name
}

/** Whether a key is `and`, `or`, `not.and` or `not.or`, possibly on another table. */
export function isLogicKey(key: string): boolean {
  return LOGIC_KEY.test(key)
}

/** Parses `or=(a.eq.1,and(b.gt.2,c.is.null))`. Throws PGRST100 for a syntax error and PGRST108 for another table. */
export function parseLogic(key: string, value: string): Condition<string> {
  const [, path, word] = LOGIC_KEY.exec(key) ?? []
  if (path !== undefined && path !== 'not') throw notEmbedded(path.replace(/\.not$/, ''))
  const scanner = new TextScanner(value, 'logic tree')
  const conditions = parseGroup(scanner, 1)
  scanner.expectEnd()
  return { kind: 'group', negated: path === 'not', operator: word === 'and' ? 'and' : 'or', conditions }
}

function parseGroup(scanner: TextScanner, depth: number): Condition<string>[] {
  if (depth > MAX_DEPTH) throw scanner.failure(`at most ${MAX_DEPTH} levels of nesting`)
  scanner.skipSpaces()
  scanner.expect('(')
  const conditions: Condition<string>[] = []
  do conditions.push(parseMember(scanner, depth))
  while (scanner.take(','))
  scanner.expect(')')
  scanner.skipSpaces()
  return conditions
}

function parseMember(scanner: TextScanner, depth: number): Condition<string> {
  scanner.skipSpaces()
  const start = scanner.position
  const negated = scanner.take('not.')
  for (const operator of ['and', 'or'] as const) {
    const afterNot = scanner.position
    if (scanner.take(operator)) {
      scanner.skipSpaces()
      if (scanner.sees('(')) {
        return { kind: 'group', negated, operator, conditions: parseGroup(scanner, depth + 1) }
      }
    }
    scanner.returnTo(afterNot)
  }
  scanner.returnTo(start)
  const column = scanner.name()
  scanner.expect('.')
  const expression = parseOperatorExpression(scanner, () => parseListElement(scanner))
  scanner.skipSpaces()
  return { ...expression, column }
}

/** `readValue` reads the value of a comparison: where it ends depends on the context. */
function parseOperatorExpression(scanner: TextScanner, readValue: () => string): OperatorExpression {
  const negated = scanner.take('not.')
  const start = scanner.position
  const name = scanner.match(OPERATOR) ?? ''
  if (name === 'in' && scanner.take('.')) return { kind: 'in', negated, values: parseList(scanner) }
  if (name === 'is' && scanner.take('.')) return { kind: 'is', negated, value: parseIsValue(scanner) }
  const operator = COMPARISONS.find((known) => known === name)
  if (operator !== undefined && scanner.take('.')) {
    return { kind: 'comparison', negated, operator, value: readValue() }
  }
  if (UNSUPPORTED_OPERATORS.has(name)) throw unsupported(`the operator ${name}`)
  if (operator !== undefined && scanner.sees('(')) throw unsupported(`${operator}(any) and ${operator}(all)`)
  scanner.returnTo(start)
  throw scanner.failure(negated ? 'operator (eq, gt, ...)' : '"not" or operator (eq, gt, ...)')
}

function parseIsValue(scanner: TextScanner): IsValue {
  const start = scanner.position
  const text = scanner.match(IS_VALUE)?.toLowerCase()
  const value = IS_VALUES.find((known) => known === text)
  if (value !== undefined) return value
  scanner.returnTo(start)
  throw scanner.failure('isVal: (null, not_null, true, false, unknown)')
}

/** `(a,"b,c",d)`; `()` is an empty list. */
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

/** A value that ends at a comma or closing parenthesis, unless it is in double quotes. */
function parseListElement(scanner: TextScanner): string {
  const start = scanner.position
  const quoted = scanner.quoted()
  if (quoted !== null && (scanner.isAtEnd || scanner.sees(',') || scanner.sees(')'))) return quoted
  scanner.returnTo(start)
  return scanner.match(LIST_ELEMENT) ?? ''
}
