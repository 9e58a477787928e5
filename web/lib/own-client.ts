import { QueryClient } from '@tanstack/react-query'
import { currentSession, followSession } from './session.ts'

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
    own = { userId, client: new QueryClient() }
  }
  return own.client
}

followSession(() => {
  const session = currentSession()
  if (session.status === 'signed-in' && session.user.id === own?.userId) return
  own?.client.clear()
  own = null
})
