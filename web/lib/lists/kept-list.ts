import type { QueryKey } from '@tanstack/react-query'

/** What every row of a kept list has. */
export type Row = { id: string }

/** A list as the server last told it. Changes still on their way are not in here. */
export type KeptList<R extends Row> = {
  rows: readonly R[]
  /** False while later pages are still missing: counts and "there are none" can't be told yet. */
  complete: boolean
  /** Grows with every answered change, so that a fetch that began before it is known to be outdated. */
  revision: number
}

/**
 * One list of one person: where it is kept, how it is fetched and what a change does to it.
 * `R` is a row, `C` a change to the list (a discriminated union of the feature).
 */
export type ListDefinition<R extends Row, C> = {
  key: QueryKey
  /** One page of at most `pageSize` rows in the list's order, after the given row (null: from the start). */
  fetchPage: (after: R | null) => Promise<readonly R[]>
  pageSize: number
  /** The rows after a change. Applying a change twice is the same as applying it once. */
  apply: (rows: readonly R[], change: C) => readonly R[]
}
