import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '#shared/database.types.ts'
import { currentAuthSession, sessionAfterRejection } from '#web/lib/auth-client.ts'
import { config } from '#web/lib/config.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'

/**
 * Sends every data request of the app, with the access token of the signed-in user, or the public key for guests. A request
 * that would need a new token while the server can't be reached is not sent: it fails with status 0, like any other
 * request without a response, and the message of a `NetworkUnavailableError`.
 */
export const rest = new PostgrestClient<Database>(`${config.url}/rest/v1`, {
  headers: { apikey: config.anonKey },
  fetch: fetchWithToken,
  // The lists decide what is retried (list.ts).
  retry: false,
})

async function fetchWithToken(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const session = await currentAuthSession()
  const response = await send(session?.access_token ?? config.anonKey, input, init)
  if (session === null || !(await isTokenRejected(response))) return response
  // The token is valid by this device's clock, but the server's clock and keys decide.
  const next = await sessionAfterRejection(session.access_token)
  // Another user may have signed in meanwhile.
  return next?.user.id === session.user.id ? send(next.access_token, input, init) : response
}

function send(token: string, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${token}`)
  return fetchWithTimeout(input, { ...init, headers })
}

/** PostgREST reports PGRST303 for an expired token, before version 13 PGRST301, as for every other rejected token. */
async function isTokenRejected(response: Response): Promise<boolean> {
  return response.status === 401 && /"PGRST30[13]"/.test(await response.clone().text())
}
