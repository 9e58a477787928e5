import type { Row } from './kept-list.ts'

/**
 * The fetched rows, with every row that has not changed as the very object it was before, and the very list if
 * nothing changed at all. What is the same object is not drawn again.
 */
export function keepUnchangedRows<R extends Row>(before: readonly R[], fetched: readonly R[]): readonly R[] {
  const known = new Map(before.map((row) => [row.id, row]))
  const rows = fetched.map((row) => {
    const old = known.get(row.id)
    return old && sameFields(old, row) ? old : row
  })
  return sameItems(before, rows) ? before : rows
}

/** Whether two lists hold the very same items in the same places. */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => Object.is(item, b[index]))
}

function sameFields(a: Row, b: Row): boolean {
  const fields = new Map<string, unknown>(Object.entries(b))
  const entries = Object.entries(a)
  return entries.length === fields.size && entries.every(([name, value]) => fields.get(name) === value)
}
