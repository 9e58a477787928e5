import type { Condition } from './conditions.ts'
import { parseListElement, parseOperation } from './parse-filters.ts'
import { notEmbedded } from './refusals.ts'
import { TextScanner } from './text-scanner.ts'

/** Deeper nesting than any person writes; keeps a hostile address from exhausting the stack here or in the database. */
const MAX_DEPTH = 32
const LOGIC_KEY = /^(?:(.*)\.)?(and|or)$/s

/** Is this key of the query string one of `and`, `or`, `not.and`, `not.or` (or the same on another table)? */
export function isLogicKey(key: string): boolean {
  return LOGIC_KEY.test(key)
}

/** Reads `or=(a.eq.1,and(b.gt.2,c.is.null))`. Throws PGRST100 if it cannot be read. */
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
  const operation = parseOperation(scanner, () => parseListElement(scanner))
  scanner.skipSpaces()
  return { ...operation, column }
}
