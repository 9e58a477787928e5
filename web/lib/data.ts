import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '#shared/database.types.ts'
import { auth } from './backend.ts'
import { config } from './config.ts'
import { fetchInTime } from './fetch-in-time.ts'

/** Every data call of the product goes through here, in the name of whoever is signed in. */
export const data = new PostgrestClient<Database>(`${config.url}/rest/v1`, {
  headers: { apikey: config.anonKey },
  fetch: fetchSignedIn,
  // Waiting and trying again belongs to whoever shows the waiting.
  retry: false,
})

async function fetchSignedIn(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${await accessToken()}`)
  return fetchInTime(input, { ...init, headers })
}

/** A token that is still good for a while: the library refreshes one that is not. */
async function accessToken(): Promise<string> {
  const { data: current, error } = await auth.getSession()
  if (error) throw error
  return current.session?.access_token ?? config.anonKey
}
