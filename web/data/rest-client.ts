import { isAuthApiError } from '@supabase/auth-js'
import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '#shared/database.types.ts'
import { auth, currentAuthSession, removeLocalSession } from '#web/lib/auth-client.ts'
import { config } from '#web/lib/config.ts'
import { isAccountDeleted, signOutDeletedAccount } from '#web/lib/session.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'

/** Sends every data request of the app, with the access token of the signed-in user. */
export const rest = new PostgrestClient<Database>(`${config.url}/rest/v1`, {
  headers: { apikey: config.anonKey },
  fetch: fetchWithToken,
  // The lists decide what is retried (list.ts).
  retry: false,
})

async function fetchWithToken(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const token = await accessToken()
  const response = await send(token, input, init)
  if (!(await isTokenExpired(response))) return response
  // The token is still valid by this device's clock, but the server decides: by its clock, or the session has ended.
  const { data, error } = await auth.refreshSession()
  if (data.session) return send(data.session.access_token, input, init)
  // By itself, auth-js keeps a session that can't be refreshed until its token expires on this device.
  const isEnded = isAuthApiError(error) && error.status === 400
  if (isEnded && (await accessToken()) === token) await signOutHere()
  return response
}

async function signOutHere(): Promise<void> {
  if (await isAccountDeleted()) await signOutDeletedAccount()
  else await removeLocalSession()
}

function send(token: string, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${token}`)
  return fetchWithTimeout(input, { ...init, headers })
}

/** PostgREST reports PGRST303; before version 13 it was PGRST301, which covers every rejected token. */
async function isTokenExpired(response: Response): Promise<boolean> {
  return response.status === 401 && (await response.clone().text()).includes('JWT expired')
}

/** The access token of the session, or the public key for guests. */
async function accessToken(): Promise<string> {
  const session = await currentAuthSession()
  return session?.access_token ?? config.anonKey
}
