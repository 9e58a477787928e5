import { TextScanner } from './text-scanner.ts'

/**
 * Reads a list of column names (`columns`, `on_conflict`), each at most once, in the order given.
 * Throws PGRST100 if it cannot be read.
 */
export function parseNames(what: 'columns' | 'on_conflict', text: string): string[] {
  const scanner = new TextScanner(text, `${what} parameter`)
  const names = new Set<string>()
  do {
    scanner.skipSpaces()
    names.add(scanner.name())
    scanner.skipSpaces()
  } while (scanner.take(','))
  scanner.expectEnd()
  return [...names]
}
