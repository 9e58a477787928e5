import { GoTrueClient, type Session } from '@supabase/auth-js'
import { config, SESSION_STORAGE_KEY } from './config.ts'
import { fetchWithTimeout } from './fetch-with-timeout.ts'
import { initialUrl } from './initial-url.ts'

/** The auth API. Sessions are refreshed automatically, and shared with other tabs through local storage. */
export const auth = new GoTrueClient({
  url: `${config.url}/auth/v1`,
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
  fetch: fetchWithTimeout,
  storageKey: SESSION_STORAGE_KEY,
  flowType: 'implicit',
  autoRefreshToken: true,
  persistSession: true,
  // Opening a recovery link doesn't sign in; submitting the new password does (sign-in/auth-requests.ts).
  detectSessionInUrl: initialUrl.result.kind === 'none',
})

/**
 * The session, with an access token that is valid for at least 90 s (auth-js refreshes it if necessary); null for
 * guests. Throws the `AuthError` if it can't be refreshed.
 */
export async function currentAuthSession(): Promise<Session | null> {
  const { data, error } = await auth.getSession()
  if (!error) return data.session
  // If another tab refreshes the session at the same time, auth-js reports that it discarded its own refresh. A second
  // call finds the other tab's session in the storage; after any other error it makes no request.
  const { data: stored } = await auth.getSession()
  if (!stored.session) throw error
  return stored.session
}

/**
 * Removes the session from this browser without a request, so that it works offline and with a deleted account. In
 * auth-js 2.109, `signOut` with scope `local` keeps the session if the server can't be reached; without a stored
 * session, it makes no request and only notifies subscribers and other tabs.
 */
export async function removeLocalSession(): Promise<void> {
  localStorage.removeItem(SESSION_STORAGE_KEY)
  await auth.signOut({ scope: 'local' })
}
