import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '#shared/database.types.ts'
import { config } from '#web/lib/config.ts'
import { UserError } from '#web/lib/error-message.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { currentAuthSession, sessionAfterRejection } from '#web/lib/session/token-refresh.ts'

/** URL of the data API. */
export const REST_URL = `${config.url}/rest/v1`

/** Calls the functions that work on the whole account of the signed-in user (account-data.ts). */
export const rest = new PostgrestClient<Database>(REST_URL, {
  fetch: (input, init) => sendAs(null, input, init),
  retry: false,
})

/**
 * Sends a request with the access token of the signed-in user. Rejects without sending it if no one is signed in, or
 * somebody else.
 *
 * @param owner id of the user whose data is meant; null for whoever is signed in
 */
export async function sendAs(
  owner: string | null,
  input: RequestInfo | URL,
  init?: RequestInit,
): Promise<Response> {
  const session = await currentAuthSession()
  if (!session || (owner !== null && session.user.id !== owner)) throw new UserError('User not authenticated')
  const response = await send(session.access_token, input, init)
  if (!(await isTokenRejected(response))) return response
  // The token is valid by this device's clock, but the server's clock and keys decide.
  const next = await sessionAfterRejection(session.access_token)
  // Another user may have signed in meanwhile.
  return next?.user.id === session.user.id ? send(next.access_token, input, init) : response
}

function send(token: string, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set('apikey', config.anonKey)
  headers.set('authorization', `Bearer ${token}`)
  return fetchWithTimeout(input, { ...init, headers })
}

/** PostgREST reports PGRST303 for an expired token, before version 13 PGRST301, as for every other rejected token. */
async function isTokenRejected(response: Response): Promise<boolean> {
  return response.status === 401 && /"PGRST30[13]"/.test(await response.clone().text())
}
