import { GoTrueClient, type SupportedStorage } from '@supabase/auth-js'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { newId } from '#web/lib/new-id.ts'
import { authConnection } from './auth-connection.ts'
import { SESSION_STORAGE_KEY } from './session-key.ts'
import { writeStoredSession } from './stored-session.ts'

/**
 * auth-js can store the session of a sign-in, but not read or remove one. A session that it finds, it refreshes and ends by rules
 * that do not suit an app that works offline (docs/decisions/0031-the-stored-session-decides.md); and it removes the stored session
 * when the server rejects another one, for example that of an old link.
 */
const signInStorage: SupportedStorage = {
  getItem: () => null,
  setItem: (key, value) => {
    if (key === SESSION_STORAGE_KEY) writeStoredSession(value)
  },
  removeItem: () => {},
}

/** Signs in, creates accounts and sends emails. `token-refresh.ts` refreshes the session, `session.ts` signs out. */
export const auth = new GoTrueClient({
  ...authConnection,
  fetch: fetchWithTimeout,
  storage: signInStorage,
  storageKey: SESSION_STORAGE_KEY,
  flowType: 'implicit',
  autoRefreshToken: false,
  // The session in the URL is read by `initialize`, which is only called for a URL that may sign in (session.ts).
  skipAutoInitialize: true,
})

/** A client for a session that must not sign in this browser: kept in memory, for this use only. */
export function memoryClient(): GoTrueClient {
  return new GoTrueClient({
    ...authConnection,
    fetch: fetchWithTimeout,
    // auth-js logs a warning when several clients have the same key.
    storageKey: newId(),
    persistSession: false,
    autoRefreshToken: false,
    skipAutoInitialize: true,
  })
}
