import { GoTrueClient } from '@supabase/auth-js'
import { arrival } from './arrival.ts'
import { config } from './config.ts'
import { fetchWithTimeout } from './fetch-with-timeout.ts'
import { SESSION_STORAGE_KEY } from './session-storage-key.ts'

/** Every account call of the product goes through here. */
export const auth = new GoTrueClient({
  url: `${config.url}/auth/v1`,
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
  fetch: fetchWithTimeout,
  storageKey: SESSION_STORAGE_KEY,
  flowType: 'implicit',
  autoRefreshToken: true,
  persistSession: true,
  // A recovery link signs nobody in by being opened: it does when the new password is sent.
  detectSessionInUrl: arrival.kind === 'none',
})
