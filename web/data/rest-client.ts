import { PostgrestClient } from '@supabase/postgrest-js'
import type { Database } from '#shared/database.types.ts'
import { config } from '#web/lib/config.ts'
import { UserError } from '#web/lib/error-message.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { currentAuthSession, sessionAfterRejection } from '#web/lib/session/token-refresh.ts'
import { rememberedOf, keyParts } from '#web/sync/sealing/remembered.ts'

/** URL of the data API. */
export const REST_URL = `${config.url}/rest/v1`

/** PostgREST reports PGRST303 for an expired token, before version 13 PGRST301, as for every other rejected token. */
const TOKEN_REJECTED = /"PGRST30[13]"/

/** Two-factor sign-in is on, and no code was given in this session (docs/decisions/0044-two-factor-sign-in-in-the-database.md). */
const CODE_NEEDED = '"PT401"'

/** For what devices do not synchronise: the user's reminders, and functions that work on the whole account. */
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
  const remembered = rememberedOf(session.user.id).get()
  if ((remembered?.seals || remembered?.asked) && init?.body) {
    const { requireSealed } = await import('#web/sync/sealing/row-texts.ts')
    requireSealed(keyParts(remembered.key).keyId ?? '', init.body)
  }
  const response = await send(session.access_token, input, init)
  const rejection = response.status === 401 ? await response.clone().text() : ''
  if (rejection.includes(CODE_NEEDED)) await learnOfApps().catch(() => undefined)
  if (!TOKEN_REJECTED.test(rejection)) return response
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

/** Then the stored session says that it needs a code, which all tabs follow. Another token would not help. */
async function learnOfApps(): Promise<void> {
  const { refreshUser } = await import('#web/lib/session/change-account.ts')
  await refreshUser()
}
