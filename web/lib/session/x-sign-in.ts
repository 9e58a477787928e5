import { auth } from './auth-client.ts'
import { type ErrorResponse, readErrorResponse } from './auth-connection.ts'
import { config } from '#web/lib/config.ts'
import { reportError } from '#web/lib/error-message.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { expectReturnFromX } from './link-guard.ts'
import { AUTH_CALLBACK } from '#web/lib/navigation/routes.ts'

const SCOPES = 'tweet.read users.read offline.access email'
const NOT_OFFERED = 'This server has no sign-in with X. Please use your email and password.'

/**
 * Redirects to X, which redirects back to the callback page.
 *
 * @returns the error message; null if the browser is being redirected
 */
export async function signInWithX(): Promise<string | null> {
  if (config.xEnabled === false) return NOT_OFFERED
  const { data, error } = await auth.signInWithOAuth({
    provider: config.xProvider,
    options: { redirectTo: location.origin + AUTH_CALLBACK, scopes: SCOPES, skipBrowserRedirect: true },
  })
  if (error) return reportError('sign in with Twitter', error)
  const urlError = await checkAuthorizeUrl(data.url)
  if (urlError !== null) return urlError
  expectReturnFromX()
  location.assign(data.url)
  return null
}

/**
 * Requests the URL before the page is left, without following the redirect: otherwise the browser would show the raw
 * JSON of an error response.
 *
 * @returns the error message; null if the URL can be opened
 */
async function checkAuthorizeUrl(url: string): Promise<string | null> {
  try {
    const response = await fetchWithTimeout(url, { redirect: 'manual' })
    if (response.type === 'opaqueredirect' || response.ok) return null
    const error = readErrorResponse(response.status, await response.json().catch(() => null))
    return isXNotOffered(error) ? NOT_OFFERED : reportError('sign in with Twitter', error)
  } catch (failure) {
    // Another origin may not allow this request (CORS), and still redirect when it is opened.
    return (await respondsElsewhere()) ? null : reportError('sign in with Twitter', failure)
  }
}

/** Whether the backend has another origin and responds to requests. */
async function respondsElsewhere(): Promise<boolean> {
  if (config.url === location.origin) return false
  const response = fetchWithTimeout(`${config.url}/auth/v1/health`, { headers: { apikey: config.anonKey } })
  return response.then(
    () => true,
    () => false,
  )
}

/** Whether sign-in with X is not set up at the backend; any other error may be temporary. */
export function isXNotOffered({ status, message }: ErrorResponse): boolean {
  return status === 400 && message.startsWith('Unsupported provider')
}
