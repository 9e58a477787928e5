import type { DataServer } from '#tests/support/data-requests.ts'

/** A request as an attacker makes it: the public key is known to everybody. */
export interface Attack {
  method: string
  /** With its prefix, as `/rest/v1/prayers`. */
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export interface AttackAnswer {
  status: number
  headers: Headers
  text: string
}

/** Sends it with the public key, unless the headers say otherwise. A body that is no string is sent as JSON. */
export async function attack(server: DataServer, request: Attack): Promise<AttackAnswer> {
  const { method, path, body, headers = {} } = request
  const answer = await fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      apikey: server.services.keys.anonKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}
