import { BOTH_KEYS_QUESTION, KEY_QUESTION, UNSURE_QUESTION } from '#web/data/key-question-texts.ts'
import { config } from '#web/lib/config.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'
import { authConnection } from '#web/lib/session/auth-connection.ts'

/**
 * What to ask before a new password signs out all devices; null if the account is not encrypted. This browser may never have seen the
 * account, so the server is asked.
 *
 * @param accessToken of the emailed link
 */
export async function fetchKeyQuestion(accessToken: string): Promise<string | null> {
  try {
    const inUse = 'select=state&state=in.(encrypting,on,decrypting)'
    const response = await fetchWithTimeout(`${config.url}/rest/v1/encryption_keys?${inUse}`, {
      headers: { ...authConnection.headers, Authorization: `Bearer ${accessToken}` },
    })
    const keys: unknown = await response.json()
    if (!response.ok || !Array.isArray(keys)) return UNSURE_QUESTION
    if (keys.length === 0) return null
    return keys.length > 1 ? BOTH_KEYS_QUESTION : KEY_QUESTION
  } catch {
    return UNSURE_QUESTION
  }
}
