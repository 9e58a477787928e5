import { notEmbedded } from './refusals.ts'
import { TextScanner } from './text-scanner.ts'

/** One entry of `order`. What is null follows the database: ascending, nulls last when ascending. */
export interface OrderTerm<Column> {
  column: Column
  direction: 'asc' | 'desc' | null
  nulls: 'nullsfirst' | 'nullslast' | null
}

/** Reads `order=created_at.desc.nullslast,id`. Throws PGRST100 if it cannot be read. */
export function parseOrder(text: string): OrderTerm<string>[] {
  const scanner = new TextScanner(text, 'order')
  const terms: OrderTerm<string>[] = []
  do terms.push(parseTerm(scanner))
  while (scanner.take(','))
  scanner.expectEnd()
  return terms
}

function parseTerm(scanner: TextScanner): OrderTerm<string> {
  scanner.skipSpaces()
  const column = scanner.name()
  if (scanner.sees('(')) throw notEmbedded(column)
  const direction = scanner.take('.asc') ? 'asc' : scanner.take('.desc') ? 'desc' : null
  const nulls = scanner.take('.nullsfirst') ? 'nullsfirst' : scanner.take('.nullslast') ? 'nullslast' : null
  scanner.skipSpaces()
  if (!scanner.isAtEnd && !scanner.sees(',')) {
    throw scanner.failure(
      nulls !== null
        ? '"," or end of input'
        : direction === null
          ? '"asc", "desc", "nullsfirst" or "nullslast"'
          : '"nullsfirst" or "nullslast"',
    )
  }
  return { column, direction, nulls }
}
