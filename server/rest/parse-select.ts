import { aggregatesNotAllowed, noEmbedding } from './refusals.ts'
import { TextScanner } from './text-scanner.ts'

/** One entry of `select`: every column, or one column with the name and type it is to have in the answer. */
export type SelectItem =
  { kind: 'all' } | { kind: 'column'; column: string; alias: string | null; cast: string | null }

const CAST = /[\p{L}\p{N}_ $]+/uy

/**
 * Reads `select=id,title:name,count::text`. `table` is only named in errors.
 * Throws PGRST100 if it cannot be read, PGRST200 for other tables and PGRST123 for aggregates.
 */
export function parseSelect(text: string, table: string): SelectItem[] {
  if (text.trim() === '' || text === '*') return [{ kind: 'all' }]
  const scanner = new TextScanner(text, 'select parameter')
  const items: SelectItem[] = []
  do items.push(parseItem(scanner, table))
  while (scanner.take(','))
  scanner.expectEnd()
  return items
}

function parseItem(scanner: TextScanner, table: string): SelectItem {
  scanner.skipSpaces()
  if (scanner.take('*')) {
    scanner.skipSpaces()
    return { kind: 'all' }
  }
  if (scanner.take('...') || scanner.take('..')) throw noEmbedding(table, scanner.name())
  const first = scanner.name()
  const isAliased = !scanner.sees('::') && scanner.take(':')
  const column = isAliased ? scanner.name() : first
  if (scanner.sees('(') || scanner.sees('!')) throw refuseCall(scanner, table, column)
  if (scanner.sees('.')) throw aggregatesNotAllowed()
  const cast = scanner.take('::') ? parseCast(scanner) : null
  scanner.skipSpaces()
  return { kind: 'column', column, alias: isAliased ? first : null, cast }
}

function refuseCall(scanner: TextScanner, table: string, name: string): Error {
  return name === 'count' && scanner.sees('()') ? aggregatesNotAllowed() : noEmbedding(table, name)
}

function parseCast(scanner: TextScanner): string {
  const cast = scanner.match(CAST)?.trim() ?? ''
  if (cast === '') throw scanner.failure('letter or digit')
  return cast
}
