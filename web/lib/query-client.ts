import { QueryCache, QueryClient } from '@tanstack/react-query'
import { fieldsOf } from '#shared/fields.ts'
import { leaveDeletedAccount } from './leave-deleted-account.ts'
import { currentSession, followSession, isAccountGone } from './session.ts'

let own: { userId: string; client: QueryClient } | null = null

/**
 * Keeps what was fetched, typed and is being sent for whoever is signed in, on every screen, until that person signs
 * out or another signs in: then nothing of it is left.
 *
 * @param userId who is signed in
 */
export function clientOf(userId: string): QueryClient {
  if (own?.userId !== userId) {
    own?.client.clear()
    own = { userId, client: new QueryClient({ queryCache: new QueryCache({ onSuccess: noticeEmptied }) }) }
  }
  return own.client
}

followSession(() => {
  const session = currentSession()
  if (session.status === 'signed-in' && session.user.id === own?.userId) return
  own?.client.clear()
  own = null
})

/**
 * A list that is asked for again and found empty may be that of an account which was deleted on another device: its
 * token is good for a while, and reads nothing. Then nobody is signed in here any more.
 */
function noticeEmptied(list: unknown, query: { state: { dataUpdateCount: number } }): void {
  if (query.state.dataUpdateCount > 1 && isEmpty(fieldsOf(list)['rows'])) void leaveIfGone()
}

function isEmpty(rows: unknown): boolean {
  return Array.isArray(rows) && rows.length === 0
}

async function leaveIfGone(): Promise<void> {
  if (await isAccountGone()) await leaveDeletedAccount()
}
