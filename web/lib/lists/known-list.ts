import type { QueryClient } from '@tanstack/react-query'
import type { KeptList, ListDefinition, Row } from './kept-list.ts'

/** The list as the server last told it, or undefined if it never did. */
export function knownList<R extends Row, C>(
  client: QueryClient,
  definition: ListDefinition<R, C>,
): KeptList<R> | undefined {
  return client.getQueryData<KeptList<R>>(definition.key)
}

/**
 * Writes what an answer says into the known list and outdates every fetch that is running, since that may have been
 * read before. Does nothing when the list is not kept (any more): sign-out has emptied the cache.
 */
export function reviseKnownList<R extends Row, C>(
  client: QueryClient,
  definition: ListDefinition<R, C>,
  revise: (rows: readonly R[]) => readonly R[],
): void {
  if (!client.getQueryCache().find({ queryKey: definition.key, exact: true })) return
  const { rows, complete, revision } = knownList(client, definition) ?? {
    rows: [],
    complete: false,
    revision: 0,
  }
  client.setQueryData<KeptList<R>>(definition.key, { rows: revise(rows), complete, revision: revision + 1 })
}
