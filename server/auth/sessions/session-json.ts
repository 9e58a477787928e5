import type { FastifyReply } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { renderUser, type UserJson } from '../accounts/user-json.ts'

/** A session just begun or refreshed. */
export interface Session {
  id: string
  account: Account
  accessToken: string
  refreshToken: string
  /** Seconds. */
  expiresIn: number
  /** Seconds since 1970. */
  expiresAt: number
}

/** supabase/auth internal/tokens/service.go AccessTokenResponse; order is the wire's. */
export interface SessionJson {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: UserJson
}

export function renderSession(session: Session): SessionJson {
  return {
    access_token: session.accessToken,
    token_type: 'bearer',
    expires_in: session.expiresIn,
    expires_at: session.expiresAt,
    refresh_token: session.refreshToken,
    user: renderUser(session.account),
  }
}

/** Headers that go with every session; the prefix of the token tells refreshes apart in logs without giving it away. */
export function announceSession(reply: FastifyReply, session: Session): void {
  void reply
    .header('sb-auth-user-id', session.account.id)
    .header('sb-auth-session-id', session.id)
    .header('sb-auth-refresh-token-prefix', session.refreshToken.slice(0, 5))
}
