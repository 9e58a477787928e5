import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import { ACCOUNT, type Account, type Database } from '../accounts/account.ts'
import { issueAccessToken } from './access-token.ts'
import type { ClientDetails } from './client-details.ts'
import { createRefreshToken } from './refresh-token.ts'
import type { Session } from './session-json.ts'

/** How the person proved who they are (supabase/auth internal/models/factor.go). */
export type SignInMethod = 'password' | 'otp' | 'oauth'

export interface SessionStart {
  accountId: string
  method: SignInMethod
  client: ClientDetails
  /** The hash that the password was checked against; when another one is stored by now, no session is begun. */
  checkedHash?: string
}

const START = `
  with account as (
    update auth.users set last_sign_in_at = $5, updated_at = $5
    where id = $1 and ($8::text is null or encrypted_password = $8)
    returning *
  ), session as (
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
    select $2, id, $5, $5, 'aal1', $6, $7 from account
  ), method as (
    insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
    select gen_random_uuid(), $2, $4, $5, $5 from account
  ), token as (
    insert into auth.refresh_tokens (token, user_id, revoked, created_at, updated_at, parent, session_id)
    select $3, id::text, false, $5, $5, '', $2 from account
  )
  select ${ACCOUNT} from account u`

/**
 * Begins a session in one statement and signs its first access token.
 * Null when the account is gone, or its password was changed since it was checked.
 */
export async function startSession(
  services: Services,
  database: Database,
  start: SessionStart,
): Promise<Session | null> {
  const now = services.clock.now()
  const id = randomUUID()
  const refreshToken = createRefreshToken()
  const { userAgent, ip } = start.client
  const { rows } = await database.query<{ account: Account }>({
    name: 'auth:start-session',
    text: START,
    values: [start.accountId, id, refreshToken, start.method, now, userAgent, ip, start.checkedHash ?? null],
  })
  const account = rows[0]?.account
  if (account === undefined) return null
  const methods = [{ method: start.method, timestamp: Math.floor(now.getTime() / 1000) }]
  return issueAccessToken(services, { id, account, refreshToken, methods })
}
