/** A column of a list's order, and the value it has in the last row that is already here. */
export type OrderedBy = { column: string; value: string | number; descending?: boolean }

/**
 * The PostgREST `or` filter for "everything that comes after this row" in an order of several columns. Paging by
 * row instead of by number neither skips nor repeats a row when another device adds or deletes meanwhile.
 *
 * @param columns the order, most significant first; the last one must be unique
 * @returns the text inside `or=(…)`
 */
export function rowsAfter(columns: readonly OrderedBy[]): string {
  return columns
    .map((column, index) => {
      const same = columns.slice(0, index).map((earlier) => `${earlier.column}.eq.${quoted(earlier.value)}`)
      const further = `${column.column}.${column.descending ? 'lt' : 'gt'}.${quoted(column.value)}`
      return same.length === 0 ? further : `and(${[...same, further].join(',')})`
    })
    .join(',')
}

function quoted(value: string | number): string {
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`
}
