import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '#shared/database.types.ts'
import { auth } from './auth-client.ts'
import { config } from './config.ts'
import { fetchWithTimeout } from './fetch-with-timeout.ts'

/** Every data call of the product goes through here, in the name of whoever is signed in. */
export const data = new PostgrestClient<Database>(`${config.url}/rest/v1`, {
  headers: { apikey: config.anonKey },
  fetch: fetchSignedIn,
  // Waiting and trying again belongs to whoever shows the waiting.
  retry: false,
})

async function fetchSignedIn(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const answer = await fetchWith(await accessToken(), input, init)
  if (!(await isExpired(answer))) return answer
  // The token looks good here, but a clock is wrong: the server's is the one that counts.
  const { data: renewed } = await auth.refreshSession()
  return renewed.session ? fetchWith(renewed.session.access_token, input, init) : answer
}

function fetchWith(token: string, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${token}`)
  return fetchWithTimeout(input, { ...init, headers })
}

/** PostgREST names it PGRST303, and before version 13 PGRST301, as it does every other token it refuses. */
async function isExpired(answer: Response): Promise<boolean> {
  return answer.status === 401 && (await answer.clone().text()).includes('JWT expired')
}

/** A token that is still good for a while: the library refreshes one that is not. */
async function accessToken(): Promise<string> {
  const { data: current, error } = await auth.getSession()
  if (error) throw error
  return current.session?.access_token ?? config.anonKey
}
