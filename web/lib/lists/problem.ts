import { skipToken, useQuery, useQueryClient, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Attempt, errorText, reportFailure } from '../error-text.ts'
import type { ListInView } from './use-list.ts'

/** What went wrong with a list, as the banner above it says it. */
export type Problem = {
  message: string
  /** Fetches again; null where there is nothing to fetch. */
  retry: (() => void) | null
  dismiss: () => void
}

const problemKey = (list: QueryKey): QueryKey => ['problem', list]

/** Notes why the last change of a list failed, or (null) that a new one begins. Sign-out forgets it. */
export function noteProblem(client: QueryClient, list: QueryKey, message: string | null): void {
  client.setQueryData(problemKey(list), message)
}

/**
 * The problem of a list, or null: a change that failed comes before a fetch that failed, since the fetch that follows a
 * failed change usually fails for the same reason.
 *
 * @param fetching what a fetch of this list tries; one that fails is told to the console as well
 */
export function useProblem(
  key: QueryKey,
  list: Pick<ListInView<never>, 'failure' | 'refetch'>,
  fetching: Attempt,
): Problem | null {
  const client = useQueryClient()
  const noted = useQuery<string | null>({
    queryKey: problemKey(key),
    queryFn: skipToken,
    staleTime: Infinity,
  })
  const [dismissed, setDismissed] = useState<Error | null>(null)
  useEffect(() => {
    if (list.failure) reportFailure(fetching, list.failure)
  }, [fetching, list.failure])

  const failure = list.failure === dismissed ? null : list.failure
  const message = noted.data ?? (failure && errorText(fetching, failure))
  if (message === null) return null
  const dismiss = () => {
    noteProblem(client, key, null)
    setDismissed(list.failure)
  }
  return { message, retry: list.failure && list.refetch, dismiss }
}
