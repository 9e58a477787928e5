import type { ListError } from '#web/data/use-list.ts'

/** What managing categories needs to know of the prayers. */
export type CountedPrayers = {
  /** By category id, resolved ones included; null while they are not all known. */
  counts: ReadonlyMap<string, number> | null
  /** Counts for sure, fetching first if need be. */
  count: (categoryId: string) => Promise<number>
  /** Fetches the prayers again: another device has changed them. */
  refetch: () => void
  error: ListError | null
}
