import { GoTrueClient } from '@supabase/auth-js'
import { createOrClaimAccount } from '#server/auth/create-account.ts'
import { hashPassword } from '#server/auth/passwords.ts'
import { createSession } from '#server/auth/sessions.ts'
import { renderUser } from '#server/auth/user-json.ts'
import { isRecord } from '#shared/is-record.ts'
import type { DataServer } from '#tests/support/data-requests.ts'
import type { TestServer } from '#tests/support/server.ts'

/** The parts of a response that tests use. */
export interface ApiResponse {
  status: number
  headers: Headers
  /** Parsed JSON; undefined if there was no body. */
  body: unknown
}

export interface CallOptions {
  body?: unknown
  /** Sent verbatim, instead of `body`. */
  text?: string
  /** Access token, sent as bearer. */
  token?: string
  headers?: Record<string, string>
}

/** The fields of a session on the wire that tests use. */
export interface WireSession {
  access_token: string
  refresh_token: string
  expires_in: number
  expires_at: number
  user: { id: string; email: string }
}

export const PASSWORD = 'correct horse'

/**
 * Sends a request of the auth protocol as auth-js does, but without auth-js. Also waits until the server has sent the
 * emails that it sends after the response.
 */
export async function call(
  server: DataServer,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<ApiResponse> {
  const body = options.text ?? (options.body === undefined ? null : JSON.stringify(options.body))
  const response = await fetch(`${server.url}/auth/v1${path}`, {
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
  const text = await response.text()
  await server.services.background?.settled()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : parse(text) }
}

function parse(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return value
}

/** The response as a session; throws if it is not one. */
export function sessionOf({ body, status }: ApiResponse): WireSession {
  if (!isSession(body)) throw new Error(`expected a session, got ${String(status)} ${JSON.stringify(body)}`)
  return body
}

function isSession(body: unknown): body is WireSession {
  return isRecord(body) && 'access_token' in body && 'refresh_token' in body
}

/** A text field of a JSON object; throws if it is missing. */
export function textMember(body: unknown, name: string): string {
  const value = isRecord(body) ? body[name] : undefined
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(body)}`)
  return value
}

/** Signs up a new user and returns their first session. By default, test servers don't require confirmation. */
export async function signUp(server: DataServer, email: string, password = PASSWORD): Promise<WireSession> {
  return sessionOf(await call(server, 'POST', '/signup', { body: { email, password } }))
}

let users = 0
let passwordHash: Promise<string> | undefined

/**
 * A user whom no other test of the file uses, with a first session: stored as by POST /signup, but without a request, and
 * the password is hashed once for all users.
 */
export async function newUser(server: TestServer, address?: string, ip = '127.0.0.1'): Promise<WireSession> {
  users += 1
  const email = address ?? `user${String(users)}@example.org`
  const { services } = server
  const account = await createOrClaimAccount(services.pool, {
    email,
    passwordHash: await (passwordHash ??= hashPassword(PASSWORD)),
    metadata: {},
    confirmed: true,
    now: services.clock.now(),
  })
  if (account === null) throw new Error(`${email} has an account.`)
  const session = await createSession(services, services.pool, {
    accountId: account.id,
    method: 'password',
    client: { userAgent: null, ip },
  })
  if (session === null) throw new Error(`${email} was deleted.`)
  return {
    access_token: session.accessToken,
    refresh_token: session.refreshToken,
    expires_in: session.expiresIn,
    expires_at: session.expiresAt,
    user: renderUser(session.account),
  }
}

export async function signIn(server: DataServer, email: string, password = PASSWORD): Promise<ApiResponse> {
  return call(server, 'POST', '/token?grant_type=password', { body: { email, password } })
}

export async function refresh(server: DataServer, refreshToken: string): Promise<ApiResponse> {
  return call(server, 'POST', '/token?grant_type=refresh_token', { body: { refresh_token: refreshToken } })
}

/** Makes the waits after wrong passwords and codes an hour longer, by the clock of the database: none ends while the test runs. */
export async function lengthenWaits({ database: { pool } }: TestServer): Promise<void> {
  await pool.query(`
    create or replace function public.lengthen_wait() returns trigger language plpgsql as $$
    begin
      if new.blocked_until > now() then new.blocked_until := new.blocked_until + interval '1 hour'; end if;
      return new;
    end $$;
    create or replace trigger lengthen_wait before update on intercede.failed_sign_ins
      for each row execute function public.lengthen_wait()`)
}

/** Lets the waits be over. */
export async function endWaits({ database: { pool } }: TestServer): Promise<void> {
  await pool.query(`
    alter table intercede.failed_sign_ins disable trigger user;
    update intercede.failed_sign_ins set blocked_until = now();
    alter table intercede.failed_sign_ins enable trigger user`)
}

/** auth-js as the web app uses it, with its own storage, as on a separate device. */
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

/** The claims of a token, without verification. */
export function claimsOf(token: string): unknown {
  const [, payload = ''] = token.split('.')
  return parse(Buffer.from(payload, 'base64url').toString())
}
