import { useMutationState, useQuery, useQueryClient, type MutationState } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { ListDefinition, Row } from './kept-list.ts'
import { listQuery } from './list-query.ts'
import { followOtherTabs } from './other-tabs.ts'
import { noticeReturns } from './returns.ts'

export type ListInView<R extends Row> = {
  /** The rows with all changes under way applied; null until the server has told the first of them. */
  rows: readonly R[] | null
  /** Whether all rows are here; only then "there are none" is known. */
  complete: boolean
  /** Why the last fetch failed; null once one has succeeded. */
  failure: Error | null
  fetching: boolean
  refetch: () => void
}

/** A kept list as a person should see it: what the server told, with the changes that are still on their way. */
export function useList<R extends Row, C>(definition: ListDefinition<R, C>): ListInView<R> {
  const client = useQueryClient()
  useEffect(noticeReturns, [])
  useEffect(() => followOtherTabs(client), [client])
  const { data, error, isFetching, refetch } = useQuery(listQuery(definition))
  const pending = useMutationState<MutationState<C, Error, C>>({
    filters: { mutationKey: definition.key, exact: true, status: 'pending' },
  })
  const { apply } = definition
  const told = data && (data.complete || data.rows.length > 0) ? data.rows : null
  const rows = useMemo(() => told && withChanges(told, pending, apply), [told, pending, apply])
  return {
    rows,
    complete: data?.complete ?? false,
    failure: error,
    fetching: isFetching,
    refetch: () => void refetch(),
  }
}

function withChanges<R extends Row, C>(
  rows: readonly R[],
  pending: readonly MutationState<C, Error, C>[],
  apply: ListDefinition<R, C>['apply'],
): readonly R[] {
  return pending.reduce(
    (shown, { variables }) => (variables === undefined ? shown : apply(shown, variables)),
    rows,
  )
}
