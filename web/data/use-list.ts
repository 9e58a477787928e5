import {
  type MutationState,
  skipToken,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { createContext, useContext, useEffect, useMemo, useState } from 'react'
import { errorMessage, reportError } from '#web/lib/error-message.ts'
import { actionErrorKey, type Change, setActionError } from './change-list.ts'
import { type ListDefinition, listQuery, type Row, type UserList, userList } from './list.ts'

/** Why a list could not be fetched or changed, as the banner above it shows it. */
export interface ListError {
  message: string
  /** Fetches again; null when the list itself was fetched. */
  retry: (() => void) | null
  dismiss: () => void
}

/** A list as the user should see it. */
export interface ListState<R extends Row> {
  /** The rows last received with all pending changes applied; null until the first rows have been received. */
  rows: readonly R[] | null
  /** Whether all rows have been received: until then, no row at all does not mean that there are none. */
  complete: boolean
  fetching: boolean
  refetch: () => void
  error: ListError | null
}

/** The id of the user whose lists are shown. */
export const UserIdContext = createContext<string | null>(null)

/** The signed-in user's list, for actions. It stays the same object until the user changes. */
export function useUserList<R extends Row>(definition: ListDefinition<R>): UserList<R> {
  const client = useQueryClient()
  const userId = useContext(UserIdContext)
  return useMemo(() => userList(definition, client, userId), [definition, client, userId])
}

/** Reads a list, and renders again when it changes. */
export function useList<R extends Row>(definition: ListDefinition<R>): ListState<R> {
  const list = useUserList(definition)
  const { data, error, isFetching, refetch } = useQuery(listQuery(list))
  const pending = useMutationState<MutationState<Change<R>, Error, Change<R>>>({
    filters: { mutationKey: list.key, exact: true, status: 'pending' },
  })
  const received = data && (data.complete || data.rows.length > 0) ? data.rows : null
  const rows = useMemo(() => received && withPendingChanges(received, pending), [received, pending])
  const fetchAgain = () => void refetch()
  return {
    rows,
    complete: data?.complete ?? false,
    fetching: isFetching,
    refetch: fetchAgain,
    error: useListError(list, error, fetchAgain),
  }
}

function withPendingChanges<R extends Row>(
  rows: readonly R[],
  pending: readonly MutationState<Change<R>, Error, Change<R>>[],
): readonly R[] {
  return pending.reduce((shown, { variables: change }) => (change ? change(shown) : shown), rows)
}

/**
 * The error of the last action takes precedence over that of the last fetch: the fetch that follows a failed change
 * usually fails for the same reason.
 */
function useListError<R extends Row>(
  list: UserList<R>,
  fetchError: Error | null,
  refetch: () => void,
): ListError | null {
  const operation = `fetch ${list.table}` as const
  const { data: actionError } = useQuery<string | null>({
    queryKey: actionErrorKey(list),
    queryFn: skipToken,
    staleTime: Infinity,
  })
  const [dismissed, setDismissed] = useState<Error | null>(null)
  useEffect(() => {
    if (fetchError) reportError(operation, fetchError)
  }, [operation, fetchError])

  const shownFetchError = fetchError === dismissed ? null : fetchError
  const message = actionError ?? (shownFetchError && errorMessage(operation, shownFetchError))
  if (message === null) return null
  return {
    message,
    retry: fetchError && refetch,
    dismiss: () => {
      setActionError(list, null)
      setDismissed(fetchError)
    },
  }
}
