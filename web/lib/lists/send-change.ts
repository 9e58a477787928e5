import { MutationObserver, type QueryClient } from '@tanstack/react-query'
import type { ListDefinition, Row } from './kept-list.ts'
import { reviseKnownList } from './known-list.ts'
import { listQuery } from './list-query.ts'
import { tellOtherTabs } from './other-tabs.ts'

export type OutgoingChange<C> = {
  /** Shown at once, on top of what the server last told, until it is answered. */
  change: C
  /** Changes of the same row (or of the same order) wait for each other, so the last one wins everywhere. */
  row: string
  /** Sends it, and says what the server made of it. */
  send: () => Promise<C>
  /**
   * How a refused change is taken back. `restore-row`: at once, then the list is fetched to be sure.
   * `refetch`: by fetching the list; if that fails too, what was known before shows again.
   */
  onFailure: 'restore-row' | 'refetch'
}

/**
 * Applies a change to a kept list at once and sends it.
 *
 * @returns the change as the server answered it; rejects with the server's refusal after the change was taken back
 */
export async function sendChange<R extends Row, C>(
  client: QueryClient,
  definition: ListDefinition<R, C>,
  outgoing: OutgoingChange<C>,
): Promise<C> {
  const mutation = new MutationObserver<C, Error, C>(client, {
    mutationKey: definition.key,
    scope: { id: JSON.stringify([definition.key, outgoing.row]) },
    // Offline, a change fails and says so, instead of waiting for a network that may come after the tab is closed.
    networkMode: 'always',
    retry: false,
    gcTime: 0,
    mutationFn: () => sendOrTakeBack(client, definition, outgoing),
    onSuccess: (answered) => settle(client, definition, answered),
  })
  try {
    return await mutation.mutate(outgoing.change)
  } finally {
    mutation.reset()
  }
}

async function sendOrTakeBack<R extends Row, C>(
  client: QueryClient,
  definition: ListDefinition<R, C>,
  { send, onFailure }: OutgoingChange<C>,
): Promise<C> {
  try {
    return await send()
  } catch (failure) {
    const fetched = fetchAfterFailure(client, definition)
    // The change stays in view until the mutation ends: with `refetch` that is when the fetch has ended.
    if (onFailure === 'refetch') await fetched
    throw failure
  }
}

/** Fetches the list whatever is known already, one attempt; a fetch that fails leaves what was known. */
async function fetchAfterFailure<R extends Row, C>(
  client: QueryClient,
  definition: ListDefinition<R, C>,
): Promise<void> {
  // A change without an answer may have been made all the same: a fetch that began before can't be trusted.
  reviseKnownList(client, definition, (rows) => rows)
  await client.query({ ...listQuery(definition), staleTime: 0, retry: false }).catch(() => {})
}

function settle<R extends Row, C>(client: QueryClient, definition: ListDefinition<R, C>, answered: C): void {
  const doubtful = client.getQueryState(definition.key)?.isInvalidated === true
  reviseKnownList(client, definition, (rows) => definition.apply(rows, answered))
  // The server answers again: what could not be fetched before can be now.
  if (doubtful) void client.invalidateQueries({ queryKey: definition.key, exact: true })
  tellOtherTabs(definition.key)
}
