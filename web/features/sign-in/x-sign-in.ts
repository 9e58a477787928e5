import { keepLeavingForX } from '#web/lib/link-guard.ts'
import { auth } from '#web/lib/auth-client.ts'
import { config } from '#web/lib/config.ts'
import { reportError } from '#web/lib/error-message.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { AUTH_CALLBACK } from '#web/lib/paths.ts'
import { isNotOffered, readXRefusal } from './x-refusal.ts'

const SCOPES = 'tweet.read users.read offline.access email'
const NOT_OFFERED = 'Signing in with X is not set up here. Please use your email and password.'

/**
 * Leaves for X, which sends the person back to the callback page.
 *
 * @returns why it can't be done, in words for the person; null when the browser is on its way
 */
export async function signInWithX(): Promise<string | null> {
  if (config.xEnabled === false) return NOT_OFFERED
  const { data, error } = await auth.signInWithOAuth({
    provider: config.xProvider,
    options: { redirectTo: location.origin + AUTH_CALLBACK, scopes: SCOPES, skipBrowserRedirect: true },
  })
  if (error) return reportError('sign in with Twitter', error)
  const problem = await problemAt(data.url)
  if (problem !== null) return problem
  keepLeavingForX()
  location.assign(data.url)
  return null
}

/**
 * Asks before leaving the page: a backend that refuses would otherwise show the person its raw answer. The way on to
 * X itself is not followed here.
 *
 * @returns what keeps the person here, in words for them; null when nothing does
 */
async function problemAt(url: string): Promise<string | null> {
  try {
    const response = await fetchWithTimeout(url, { redirect: 'manual' })
    if (response.type === 'opaqueredirect' || response.ok) return null
    const refusal = readXRefusal(response.status, await response.json().catch(() => null))
    return isNotOffered(refusal) ? NOT_OFFERED : reportError('sign in with Twitter', refusal)
  } catch (failure) {
    // Another origin may not let itself be asked about this; only going there tells.
    return (await isBackendThere()) ? null : reportError('sign in with Twitter', failure)
  }
}

/** Whether the backend answers at all, whatever it says. */
async function isBackendThere(): Promise<boolean> {
  if (config.url === location.origin) return false
  const answer = fetchWithTimeout(`${config.url}/auth/v1/health`, { headers: { apikey: config.anonKey } })
  return answer.then(
    () => true,
    () => false,
  )
}
