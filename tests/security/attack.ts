import type { DataServer } from '#tests/support/data-requests.ts'

/** A request by an attacker, who knows the API key, because that is public. */
export interface Attack {
  method: string
  /** With the prefix of the API: `/rest/v1/prayers`. */
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export interface AttackResponse {
  status: number
  headers: Headers
  text: string
}

/** Sends the request with the API key, unless `headers` replaces it. A body that is not a string is sent as JSON. */
export async function attack(server: DataServer, request: Attack): Promise<AttackResponse> {
  const { method, path, body, headers = {} } = request
  const response = await fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      apikey: server.services.keys.anonKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}
