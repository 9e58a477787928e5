import { AuthApiError } from '@supabase/auth-js'
import { isRecord } from '#shared/is-record.ts'
import { config } from '#web/lib/config.ts'
import { fetchWithTimeout } from '#web/lib/fetch-with-timeout.ts'

/** Where the auth service is, and the headers of every request to it. */
export const authConnection = {
  url: `${config.url}/auth/v1`,
  headers: { apikey: config.anonKey, Authorization: `Bearer ${config.anonKey}` },
}

/** A request to the auth service with this access token. */
export function requestAs(token: string, path: string, init: RequestInit): Promise<Response> {
  const headers = {
    ...authConnection.headers,
    Authorization: `Bearer ${token}`,
    'content-type': 'application/json;charset=UTF-8',
    'x-supabase-api-version': '2024-01-01',
  }
  return fetchWithTimeout(`${authConnection.url}/${path}`, { ...init, headers })
}

export interface ErrorResponse {
  status: number
  code: string
  message: string
}

/** Reads both shapes of the auth service's error responses: `error_code` and `msg`, or the newer `code` and `message`. */
export function readErrorResponse(status: number, body: unknown): ErrorResponse {
  const fields: Readonly<Record<string, unknown>> = isRecord(body) ? body : {}
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value) => typeof value === 'string') ?? ''
  return { status, code: text('error_code', 'code'), message: text('msg', 'message') }
}

/** The error that a response of the auth service says, in either shape. */
export async function authErrorIn(response: Response): Promise<AuthApiError> {
  const body: unknown = await response.json().catch(() => null)
  const { status, code, message } = readErrorResponse(response.status, body)
  return new AuthApiError(message, status, code)
}
