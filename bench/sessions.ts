import { sendOnce } from './load.ts'

/** The password of all users. */
export const PASSWORD = 'a quiet hour'

/** The public key, which the server sends with the page. */
export async function readAnonKey(origin: string): Promise<string> {
  const page = await sendOnce(origin, { method: 'GET', path: '/', headers: {}, body: null })
  const key = /&quot;anonKey&quot;:&quot;([^&]+)&quot;/.exec(page)?.[1]
  if (key === undefined) throw new Error('The page contains no public key.')
  return key
}

export async function signUp(origin: string, anonKey: string, email: string): Promise<void> {
  const body = JSON.stringify({ email, password: PASSWORD })
  await sendOnce(origin, { method: 'POST', path: '/auth/v1/signup', headers: authHeaders(anonKey), body })
}

/** Signs a user in. Resolves to the response, which is what auth-js stores as the session. */
export async function signIn(origin: string, anonKey: string, email: string): Promise<string> {
  return await sendOnce(origin, {
    method: 'POST',
    path: '/auth/v1/token?grant_type=password',
    headers: authHeaders(anonKey),
    body: JSON.stringify({ email, password: PASSWORD, gotrue_meta_security: {} }),
  })
}

export interface Tokens {
  accessToken: string
  refreshToken: string
}

/** The two tokens of a response to a sign-in or refresh. */
export function readTokens(response: string): Tokens {
  return {
    accessToken: readField(response, 'access_token'),
    refreshToken: readField(response, 'refresh_token'),
  }
}

/** Without JSON.parse, to use little of the CPU that the load generator shares with the server. */
function readField(json: string, name: string): string {
  const value = new RegExp(`"${name}":"([^"]+)"`).exec(json)?.[1]
  if (value === undefined) throw new Error(`The response has no ${name}.`)
  return value
}

export function authHeaders(anonKey: string): Record<string, string> {
  return {
    apikey: anonKey,
    authorization: `Bearer ${anonKey}`,
    'content-type': 'application/json;charset=UTF-8',
    'x-client-info': 'gotrue-js/2.109.0',
    'x-supabase-api-version': '2024-01-01',
  }
}
