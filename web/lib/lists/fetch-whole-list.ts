import type { Row } from './kept-list.ts'

/**
 * Fetches a list page by page until a page comes back short.
 *
 * @param fetchPage one page after the given row, at most `pageSize` rows
 * @param onProgress told the rows so far after every page but the last; throws to end the fetching
 * @returns all rows; rejects as soon as one page fails
 */
export async function fetchWholeList<R extends Row>(
  fetchPage: (after: R | null) => Promise<readonly R[]>,
  pageSize: number,
  onProgress: (rows: readonly R[]) => void,
): Promise<readonly R[]> {
  const rows: R[] = []
  for (;;) {
    const page = await fetchPage(rows.at(-1) ?? null)
    rows.push(...page)
    if (page.length < pageSize) return rows
    onProgress([...rows])
  }
}
