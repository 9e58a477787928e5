import { PostgrestClient } from '@supabase/postgrest-js'
import type { TokenKeys } from '#server/jwt/token-keys.ts'

/** What these helpers need of a running server. */
export interface DataServer {
  url: string
  services: { keys: Pick<TokenKeys, 'anonKey'> }
}

/** The client library as the app uses it; without a token as while nobody is signed in. */
export function clientOf(server: DataServer, token: string = server.services.keys.anonKey) {
  return new PostgrestClient(`${server.url}/rest/v1`, {
    headers: { apikey: server.services.keys.anonKey, Authorization: `Bearer ${token}` },
    schema: 'public',
  })
}

export interface RawRequest {
  method?: string
  token?: string | null
  headers?: Record<string, string>
  body?: unknown
}

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
  json(): unknown
}

/** One request as it is on the wire. A body that is no string is sent as JSON. */
export async function send(server: DataServer, path: string, request: RawRequest = {}): Promise<RawAnswer> {
  const { method = 'GET', token = null, headers = {}, body } = request
  const answer = await fetch(`${server.url}/rest/v1${path}`, {
    method,
    headers: {
      apikey: server.services.keys.anonKey,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json = (): unknown => JSON.parse(text)
  return { status: answer.status, headers: answer.headers, text, json }
}
