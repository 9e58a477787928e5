/** A column that a list is ordered by. */
export interface OrderColumn<R> {
  column: keyof R & string
  descending?: boolean
}

/**
 * Fetches a list page by page until a page is not full.
 *
 * @param fetchPage requests at most `pageSize` rows after the given row
 * @param onProgress called with the rows so far after every page; throws to stop fetching
 * @returns all rows; rejects as soon as one page fails
 */
export async function fetchAllPages<R>(
  fetchPage: (after: R | null) => Promise<readonly R[]>,
  pageSize: number,
  onProgress: (rows: readonly R[]) => void,
): Promise<readonly R[]> {
  const rows: R[] = []
  for (;;) {
    const page = await fetchPage(rows.at(-1) ?? null)
    rows.push(...page)
    onProgress([...rows])
    if (page.length < pageSize) return rows
  }
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
