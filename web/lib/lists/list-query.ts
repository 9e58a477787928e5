import { CancelledError, queryOptions, type QueryClient } from '@tanstack/react-query'
import { fetchWholeList } from './fetch-whole-list.ts'
import { keepUnchangedRows } from './keep-unchanged-rows.ts'
import type { KeptList, ListDefinition, Row } from './kept-list.ts'
import { knownList } from './known-list.ts'

/**
 * The query that keeps a whole list. It is fetched once and then kept until sign-out empties the cache, but asked
 * again when the tab is looked at again, when the network returns and after every failure, so that what another
 * tab or device did never stays unseen.
 */
export function listQuery<R extends Row, C>(definition: ListDefinition<R, C>) {
  return queryOptions<KeptList<R>>({
    queryKey: definition.key,
    queryFn: ({ client }) => fetchCurrentList(client, definition),
    staleTime: Infinity,
    gcTime: Infinity,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    networkMode: 'always',
    retry: 1,
    retryDelay: 500,
    // fetchCurrentList keeps unchanged rows itself, by id: a new first row doesn't make all others new.
    structuralSharing: false,
  })
}

async function fetchCurrentList<R extends Row, C>(
  client: QueryClient,
  definition: ListDefinition<R, C>,
): Promise<KeptList<R>> {
  for (;;) {
    const revision = knownList(client, definition)?.revision ?? 0
    const rows = await fetchWholeList(
      definition.fetchPage,
      definition.pageSize,
      firstRowsShown(client, definition),
    )
    const known = knownList(client, definition)
    // A change answered meanwhile may be missing from what was read: read again.
    if ((known?.revision ?? 0) !== revision) continue
    return { rows: keepUnchangedRows(known?.rows ?? [], rows), complete: true, revision }
  }
}

/** Shows a list that was never complete as far as it has come; one that was stays whole until all is here. */
function firstRowsShown<R extends Row, C>(client: QueryClient, definition: ListDefinition<R, C>) {
  const kept = () => client.getQueryCache().find({ queryKey: definition.key, exact: true })
  const query = kept()
  return (rows: readonly R[]) => {
    // Sign-out has emptied the cache: nothing more is asked for, and no row comes back.
    if (kept() !== query) throw new CancelledError({ silent: true })
    const known = knownList(client, definition)
    if (known && (known.complete || known.rows.length >= rows.length)) return
    client.setQueryData<KeptList<R>>(definition.key, {
      rows,
      complete: false,
      revision: known?.revision ?? 0,
    })
  }
}
