import { GoTrueClient } from '@supabase/auth-js'
import { fieldsOf, isRecord } from '#shared/fields.ts'
import type { DataServer } from '#tests/support/data-requests.ts'

/** What a test sees of an answer. */
export interface Answer {
  status: number
  headers: Headers
  /** Parsed JSON; undefined when there was no body. */
  body: unknown
}

export interface CallOptions {
  body?: unknown
  /** Sent as it is, instead of `body`. */
  text?: string
  /** Access token to send as bearer. */
  token?: string
  headers?: Record<string, string>
}

/** A session as it is on the wire, as far as tests read it. */
export interface WireSession {
  access_token: string
  refresh_token: string
  expires_in: number
  expires_at: number
  user: { id: string; email: string }
}

export const PASSWORD = 'correct horse'

/** Calls the auth protocol with nothing in between, as auth-js would send it. */
export async function call(
  server: DataServer,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const body = options.text ?? (options.body === undefined ? null : JSON.stringify(options.body))
  const answer = await fetch(`${server.url}/auth/v1${path}`, {
    method,
    body,
    redirect: 'manual',
    headers: {
      apikey: server.services.keys.anonKey,
      'x-supabase-api-version': '2024-01-01',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : parse(text) }
}

function parse(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return value
}

/** The answer as a session; throws when it is none. */
export function sessionOf({ body, status }: Answer): WireSession {
  if (!isSession(body)) throw new Error(`no session, but ${String(status)} ${JSON.stringify(body)}`)
  return body
}

function isSession(body: unknown): body is WireSession {
  return isRecord(body) && 'access_token' in body && 'refresh_token' in body
}

/** A text member of a JSON object; throws when there is none. */
export function textMember(body: unknown, name: string): string {
  const value = fieldsOf(body)[name]
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(body)}`)
  return value
}

/** Signs a new person up and gives their first session. The address needs no confirmation on the test server. */
export async function signUp(server: DataServer, email: string, password = PASSWORD): Promise<WireSession> {
  return sessionOf(await call(server, 'POST', '/signup', { body: { email, password } }))
}

let people = 0

/** Signs up somebody whom no other test of the file knows. */
export async function newPerson(server: DataServer): Promise<WireSession> {
  people += 1
  return signUp(server, `person${String(people)}@example.org`)
}

export async function signIn(server: DataServer, email: string, password = PASSWORD): Promise<Answer> {
  return call(server, 'POST', '/token?grant_type=password', { body: { email, password } })
}

export async function refresh(server: DataServer, refreshToken: string): Promise<Answer> {
  return call(server, 'POST', '/token?grant_type=refresh_token', { body: { refresh_token: refreshToken } })
}

/** auth-js as the web app uses it, but with storage of its own: a device. */
export function createDevice(server: DataServer, memory = new Map<string, string>()): GoTrueClient {
  return new GoTrueClient({
    url: `${server.url}/auth/v1`,
    headers: { apikey: server.services.keys.anonKey },
    storageKey: 'supabase-auth',
    storage: {
      getItem: (key: string) => memory.get(key) ?? null,
      setItem: (key: string, value: string) => void memory.set(key, value),
      removeItem: (key: string) => void memory.delete(key),
    },
    autoRefreshToken: false,
    persistSession: true,
    detectSessionInUrl: false,
    flowType: 'implicit',
  })
}

/** The claims of a token, unchecked. */
export function claimsOf(token: string): unknown {
  const [, payload = ''] = token.split('.')
  return parse(Buffer.from(payload, 'base64url').toString())
}
