import { QueryCache, QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useContext } from 'react'
import { isRecord } from '#shared/is-record.ts'
import { isAccountDeleted, signOutDeletedAccount, session } from '#web/lib/session.ts'
import { listKey, TABLES } from './list.ts'
import { notifyOtherTabs, refetchOnChangeInOtherTabs, refetchOnFocus } from './refetch-triggers.ts'
import { UserIdContext } from './use-list.ts'

/** The cache of the signed-in user. It outlives the signed-in screens, and is cleared by signing out. */
let userCache: { userId: string; client: QueryClient; close: () => void } | null = null

/** Gives the screens inside it the data of the signed-in user. */
export function UserDataProvider({ userId, children }: { userId: string; children: ReactNode }) {
  return (
    <UserIdContext value={userId}>
      <QueryClientProvider key={userId} client={clientOf(userId)}>
        {children}
      </QueryClientProvider>
    </UserIdContext>
  )
}

/** Returns a function that fetches all lists again, here and in other tabs: for changes made outside of them. */
export function useRefetchAll(): () => void {
  const client = useQueryClient()
  const userId = useContext(UserIdContext)
  return useCallback(() => {
    for (const key of TABLES.map((table) => listKey(table, userId))) {
      void client.invalidateQueries({ queryKey: key, exact: true })
      notifyOtherTabs(key)
    }
  }, [client, userId])
}

function clientOf(userId: string): QueryClient {
  if (userCache?.userId === userId) return userCache.client
  closeCache()
  refetchOnFocus()
  const client = new QueryClient({ queryCache: new QueryCache({ onSuccess: checkAccountWhenEmpty }) })
  userCache = { userId, client, close: refetchOnChangeInOtherTabs(client) }
  return client
}

session.subscribe(() => {
  const state = session.get()
  if (state.status !== 'signed-in' || state.user.id !== userCache?.userId) closeCache()
})

function closeCache(): void {
  userCache?.close()
  userCache?.client.clear()
  userCache = null
}

/**
 * A list that turns out empty when it is fetched again may belong to an account that was deleted on another device: its
 * token stays valid for a while, and reads nothing. In that case this device signs out too.
 */
function checkAccountWhenEmpty(list: unknown, query: { state: { dataUpdateCount: number } }): void {
  const rows = isRecord(list) ? list['rows'] : null
  const isEmpty = Array.isArray(rows) && rows.length === 0
  if (isEmpty && query.state.dataUpdateCount > 1) void signOutIfDeleted()
}

async function signOutIfDeleted(): Promise<void> {
  if (await isAccountDeleted()) signOutDeletedAccount()
}
