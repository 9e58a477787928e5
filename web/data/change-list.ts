import { MutationObserver, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { type Operation, reportError } from '#web/lib/error-message.ts'
import { listQuery, requireUser, type Row, updateCachedList, type UserList } from './list.ts'
import { notifyOtherTabs } from './refetch-triggers.ts'

/** What a change does to the rows of a list. Applying it twice is the same as applying it once. */
export type Change<R extends Row> = (rows: readonly R[]) => readonly R[]

/** How an action ended; `error` is the message for the user. */
export type ActionResult = { success: true } | { success: false; error: string }

export interface OutgoingChange<R extends Row> {
  /** Shown immediately, on top of the rows last received, until the server has responded. */
  change: Change<R>
  /** Changes of the same row (or of the order) are sent one after the other, so that the last one wins everywhere. */
  row: string
  /** Sends the change, and returns a change that applies what the server has saved. */
  send: () => Promise<Change<R>>
  /**
   * How the rows are restored after an error. `restore-row`: immediately, followed by a fetch of the list.
   * `refetch`: once the list has been fetched; if that fails too, the previous rows are shown again.
   */
  onFailure: 'restore-row' | 'refetch'
}

/** Adds a row at its place in the order, or replaces the row with the same id. */
export function savedRow<R extends Row>(row: R, compare: (a: R, b: R) => number): Change<R> {
  return (rows) => {
    const index = rows.findIndex(({ id }) => id === row.id)
    const before = rows[index]
    if (before && compare(before, row) === 0) return rows.with(index, row)
    const others = rows.filter(({ id }) => id !== row.id)
    const next = others.findIndex((other) => compare(row, other) < 0)
    return others.toSpliced(next === -1 ? others.length : next, 0, row)
  }
}

/** Sets the given fields of one row and leaves its other fields alone. */
export function editedRow<R extends Row>(id: string, fields: Partial<NoInfer<R>>): Change<R> {
  return (rows) => rows.map((row) => (row.id === id ? { ...row, ...fields } : row))
}

export function deletedRow<R extends Row>(id: string): Change<R> {
  return (rows) => rows.filter((row) => row.id !== id)
}

/**
 * Runs an action on a list. An error becomes the list's error (see useList), is logged and returned; the promise never
 * rejects.
 */
export async function runAction<R extends Row>(
  list: UserList<R>,
  operation: Operation,
  action: (userId: string) => Promise<void>,
): Promise<ActionResult> {
  setActionError(list, null)
  try {
    await action(requireUser(list.userId))
    return { success: true }
  } catch (failure) {
    const error = reportError(operation, failure)
    setActionError(list, error)
    return { success: false, error }
  }
}

/** Where the cache holds the message of the last failed action of a list. Signing out clears it. */
export function actionErrorKey({ key }: Pick<UserList<Row>, 'key'>): QueryKey {
  return ['action-error', ...key]
}

export function setActionError<R extends Row>(list: UserList<R>, message: string | null): void {
  list.client.setQueryData(actionErrorKey(list), message)
}

/** Shows a change immediately and sends it. Rejects with the server's error once the rows have been restored. */
export async function sendChange<R extends Row>(
  list: UserList<R>,
  outgoing: OutgoingChange<NoInfer<R>>,
): Promise<void> {
  const mutation = new MutationObserver<Change<R>, Error, Change<R>>(list.client, {
    mutationKey: list.key,
    scope: { id: JSON.stringify([list.key, outgoing.row]) },
    // Offline, a change fails at once instead of waiting for a network that may return after the tab was closed.
    networkMode: 'always',
    retry: false,
    gcTime: 0,
    mutationFn: () => sendOrRestore(list, outgoing),
    onSuccess: (saved) => completeChange(list, saved),
  })
  try {
    await mutation.mutate(outgoing.change)
  } finally {
    mutation.reset()
  }
}

async function sendOrRestore<R extends Row>(
  list: UserList<R>,
  { send, onFailure }: OutgoingChange<R>,
): Promise<Change<R>> {
  try {
    return await send()
  } catch (failure) {
    const fetched = fetchAfterFailure(list)
    // The change shows until this function ends: with `refetch`, until the list has been fetched.
    if (onFailure === 'refetch') await fetched
    throw failure
  }
}

/** Fetches the list once, even if it is cached; if that fails, the cached rows stay. */
async function fetchAfterFailure<R extends Row>(list: UserList<R>): Promise<void> {
  // Only the response may have been lost: rows of a fetch that is already running can be outdated.
  updateCachedList(list, (rows) => rows)
  await list.client.query({ ...listQuery(list), staleTime: 0, retry: false }).catch(() => {})
}

function completeChange<R extends Row>(list: UserList<R>, saved: Change<R>): void {
  const { client, key } = list
  const lastFetchFailed = client.getQueryState(key)?.isInvalidated === true
  updateCachedList(list, saved)
  // The server is reachable again, so fetch the list that could not be fetched before.
  if (lastFetchFailed) void client.invalidateQueries({ queryKey: key, exact: true })
  notifyOtherTabs(key)
}

/** Resolves as soon as no change of the list is pending. */
export async function whenSettled({ client, key }: Pick<UserList<Row>, 'client' | 'key'>): Promise<void> {
  if (!hasPendingChanges(client, key)) return
  await new Promise<void>((resolve) => {
    const unsubscribe = client.getMutationCache().subscribe(() => {
      if (hasPendingChanges(client, key)) return
      unsubscribe()
      resolve()
    })
  })
}

function hasPendingChanges(client: QueryClient, key: QueryKey): boolean {
  return client.getMutationCache().findAll({ mutationKey: key, exact: true, status: 'pending' }).length > 0
}
