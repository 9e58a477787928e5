import { PostgrestClient } from '@supabase/postgrest-js'
import type { TokenKeys } from '#server/jwt/token-keys.ts'
import type { BackgroundWork } from '#server/services.ts'

/** The parts of a running server that these functions use. */
export interface DataServer {
  url: string
  services: {
    keys: Pick<TokenKeys, 'anonKey'>
    /** Missing where the server is another process. */
    background?: Pick<BackgroundWork, 'settled'>
  }
}

/** The client library as the app uses it; without a token, as while no one is signed in. */
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

export interface RawResponse {
  status: number
  headers: Headers
  text: string
  json(): unknown
}

/** Sends a request without the client library. A body that is not a string is sent as JSON. */
export async function send(server: DataServer, path: string, request: RawRequest = {}): Promise<RawResponse> {
  const { method = 'GET', token = null, headers = {}, body } = request
  const response = await fetch(`${server.url}/rest/v1${path}`, {
    method,
    headers: {
      apikey: server.services.keys.anonKey,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = (): unknown => JSON.parse(text)
  return { status: response.status, headers: response.headers, text, json }
}
