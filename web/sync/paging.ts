/** A column that a list is ordered by. */
export interface OrderColumn<R> {
  column: keyof R & string
  descending?: boolean
}

/**
 * The PostgREST `or` filter that selects the rows after a given one. Unlike an offset, it neither skips nor repeats a
 * row when another device adds or deletes rows between two pages.
 *
 * @param order the list's order, most significant column first; the last column must be unique
 * @returns the text inside `or=(…)`
 */
export function rowsAfter<R>(row: R, order: readonly OrderColumn<R>[]): string {
  return order
    .map(({ column, descending }, index) => {
      const equal = order
        .slice(0, index)
        .map((earlier) => `${earlier.column}.eq.${literal(row[earlier.column])}`)
      const after = `${column}.${descending ? 'lt' : 'gt'}.${literal(row[column])}`
      return equal.length === 0 ? after : `and(${[...equal, after].join(',')})`
    })
    .join(',')
}

function literal(value: unknown): string {
  return typeof value === 'number' ? String(value) : `"${String(value).replace(/["\\]/g, '\\$&')}"`
}
