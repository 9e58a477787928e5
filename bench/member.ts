import { Client } from 'undici'
import { emailOf, PASSWORD, personId } from './fixed-data.ts'
import { send, type WireRequest } from './wire.ts'

/** A person of the fixed data who is signed in. */
export interface Member {
  /** Counted from 1. */
  person: number
  id: string
  accessToken: string
  refreshToken: string
  anonKey: string
}

/** A sign-in with the password, as the web app's library sends it. */
export function passwordGrant(person: number, anonKey: string): WireRequest {
  return {
    method: 'POST',
    path: '/auth/v1/token?grant_type=password',
    headers: authHeaders(anonKey),
    body: JSON.stringify({ email: emailOf(person), password: PASSWORD, gotrue_meta_security: {} }),
  }
}

export function authHeaders(anonKey: string): Record<string, string> {
  return {
    apikey: anonKey,
    authorization: `Bearer ${anonKey}`,
    'content-type': 'application/json;charset=UTF-8',
    'x-client-info': 'gotrue-js/2.119.0',
    'x-supabase-api-version': '2024-01-01',
  }
}

/** Signs `count` people in, one after the other, from person number `first` on. */
export async function signIn(
  origin: string,
  anonKey: string,
  first: number,
  count: number,
): Promise<Member[]> {
  const client = new Client(origin)
  const members: Member[] = []
  for (let person = first; person < first + count; person += 1) {
    const answer = await send(client, passwordGrant(person, anonKey))
    members.push({ person, id: personId(person), anonKey, ...readTokens(answer) })
  }
  await client.close()
  return members
}

/** A person's session as the web app's library keeps it in the browser: the answer to the sign-in. */
export async function sessionOf(origin: string, anonKey: string, person: number): Promise<string> {
  const client = new Client(origin)
  const answer = await send(client, passwordGrant(person, anonKey))
  await client.close()
  return answer
}

/** The two tokens in the answer of a grant. */
export function readTokens(answer: string): Pick<Member, 'accessToken' | 'refreshToken'> {
  return { accessToken: field(answer, 'access_token'), refreshToken: field(answer, 'refresh_token') }
}

/** Read without JSON.parse: the sender is to take little from the processor it shares. */
function field(json: string, name: string): string {
  const value = new RegExp(`"${name}":"([^"]+)"`).exec(json)?.[1]
  if (value === undefined) throw new Error(`The answer has no ${name}.`)
  return value
}
