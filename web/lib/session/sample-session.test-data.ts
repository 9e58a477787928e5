import type { Factor, Session } from '@supabase/auth-js'
import { SESSION_STORAGE_KEY } from './session-key.ts'

/** A session whose tokens are named after `token`. */
export function sessionWith(token: string, expiresInSeconds: number, userId = 'ruth'): Session {
  return {
    access_token: `access-${token}`,
    refresh_token: token,
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: Math.floor(Date.now() / 1000) + expiresInSeconds,
    user: { id: userId, aud: 'authenticated', created_at: '', app_metadata: {}, user_metadata: {} },
  }
}

/** An authenticator app. */
export function sampleApp(
  name: string,
  fields: Partial<Factor<'totp', 'verified'>> = {},
): Factor<'totp', 'verified'> {
  return {
    id: name,
    friendly_name: name,
    factor_type: 'totp',
    status: 'verified',
    created_at: '2026-11-03T14:05:00Z',
    updated_at: '2026-11-03T14:05:00Z',
    ...fields,
  }
}

/** A session of a user with an authenticator app, in which a code was given or not. */
export function sessionWithApp(aal: 'aal1' | 'aal2', apps = [sampleApp('My phone')]): Session {
  const session = sessionWith(aal, 3600)
  const user = { ...session.user, email: 'ruth@example.org', factors: apps }
  return { ...session, access_token: accessTokenFor('ruth@example.org', aal), user }
}

/** An access token that is valid for an hour, as far as the app can tell. */
export function accessTokenFor(email: string, aal: 'aal1' | 'aal2' = 'aal1'): string {
  const exp = Math.floor(Date.now() / 1000) + 3600
  const encode = (part: object) =>
    btoa(JSON.stringify(part)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ email, exp, aal })}.c2lnbmF0dXJl`
}

/** Stores a session as if it had been there before the page was opened. */
export function storeSession(session: Session): void {
  localStorage.setItem(SESSION_STORAGE_KEY, JSON.stringify(session))
}

/** The response of the auth service to a refresh that it rejects. */
export const rejectedRefresh = (code = 'refresh_token_not_found') =>
  Response.json({ code: 400, error_code: code, msg: 'Invalid Refresh Token' }, { status: 400 })
