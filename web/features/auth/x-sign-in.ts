import { auth } from '#web/lib/backend.ts'
import { config } from '#web/lib/config.ts'
import { reportFailure } from '#web/lib/error-text.ts'
import { AUTH_CALLBACK } from '#web/lib/paths.ts'

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
  if (error) return reportFailure('sign in with X', error)
  const refusal = await refusalAt(data.url)
  if (refusal !== null) return reportFailure('sign in with X', refusal)
  location.assign(data.url)
  return null
}

/**
 * Asks before leaving the page: a backend that refuses would otherwise show the person its raw answer. The way on to
 * X itself is not followed here.
 */
async function refusalAt(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { redirect: 'manual' })
    if (response.type === 'opaqueredirect' || response.ok) return null
    const answer: unknown = await response.json()
    return typeof answer === 'object' ? { status: response.status, message: '', ...answer } : answer
  } catch (failure) {
    // Another origin may not let itself be asked; only going there tells.
    return new URL(url).origin === location.origin ? failure : null
  }
}
