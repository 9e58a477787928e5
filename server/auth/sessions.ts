import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { signAccessToken, type AssuranceLevel, type AuthenticationMethod } from '../jwt/access-token.ts'
import type { Services } from '../services.ts'
import { ACCOUNT, queryAccount, type Account, type Queryable } from './account.ts'
import { authUrl } from './auth-services.ts'
import type { ClientDetails } from './client-details.ts'
import { networkHash } from './password-attempts.ts'
import { renderUser, type UserJson } from './user-json.ts'

/** A session as it is stored. */
export interface StoredSession {
  id: string
  account: Account
  refreshToken: string
  aal: AssuranceLevel
  /** Newest first. */
  methods: readonly AuthenticationMethod[]
}

/** A session with an access token, to be handed to its client. */
export interface Session {
  id: string
  account: Account
  accessToken: string
  refreshToken: string
  /** In seconds. */
  expiresIn: number
  /** In seconds since 1970. */
  expiresAt: number
}

export interface NewSession {
  accountId: string
  /**
   * How the user authenticated (supabase/auth internal/models/factor.go). GoTrue has `otp` for every emailed link; here, only
   * links that allow a new password have `recovery`.
   */
  method: 'password' | 'otp' | 'oauth' | 'recovery'
  client: ClientDetails
  /** The hash that the password was checked against; if a different one is stored by now, no session starts. */
  checkedHash?: string
}

const CREATE_SESSION = `
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
  ), network as (
    insert into intercede.known_networks (user_id, network_hash, last_used_at)
    select id, $9, $5 from account
    where $9::text is not null and not exists (
      select from auth.mfa_factors f where f.user_id = account.id and f.status = 'verified'
    )
    on conflict (user_id, network_hash) do update set last_used_at = excluded.last_used_at
  )
  select ${ACCOUNT} from account u`

/**
 * Creates a session in one statement, and signs the first access token. Remembers the client's network,
 * unless signing in takes a code as well: then `raiseSession` does.
 * Null when the account was deleted, or its password was changed since it was checked.
 */
export async function createSession(
  services: Services,
  database: Queryable,
  start: NewSession,
): Promise<Session | null> {
  const { accountId, method, client, checkedHash = null } = start
  const now = services.clock.now()
  const id = randomUUID()
  const refreshToken = createRefreshToken()
  const account = await queryAccount(database, {
    name: 'auth:create-session',
    text: CREATE_SESSION,
    values: [
      accountId,
      id,
      refreshToken,
      method,
      now,
      client.userAgent,
      client.ip,
      checkedHash,
      networkHash(accountId, client.ip),
    ],
  })
  if (account === null) return null
  const methods = [{ method, timestamp: Math.floor(now.getTime() / 1000) }]
  return issueAccessToken(services, { id, account, refreshToken, aal: 'aal1', methods })
}

/** Select list for how the user signed in to a session, in the column `methods`; null if there is no such session. */
export const methodsOf = (session: string) => `(
    select jsonb_agg(
      jsonb_build_object('method', c.authentication_method, 'timestamp', extract(epoch from c.updated_at)::bigint)
      order by c.updated_at desc
    )
    from auth.mfa_amr_claims c where c.session_id = ${session}
  ) as methods`

/** A second factor that was given in a session. */
export interface GivenFactor {
  accountId: string
  sessionId: string
  /** `recovery_code` is ours. */
  method: 'totp' | 'recovery_code'
  /** Null for a recovery code. */
  factorId: string | null
  client: ClientDetails
}

/**
 * The session's former refresh tokens are void: whoever has stolen one must not get a session with the second factor by it. As in
 * GoTrue (internal/models/sessions.go InvalidateSessionsWithAALLessThan), sessions in which none was given end. The client's network is
 * remembered only now: with two-factor sign-in, a password alone does not make a network known.
 */
const RAISE = `
  with session as (
    update auth.sessions set aal = 'aal2', factor_id = $3, updated_at = $6
    where id = $1 and user_id = $2
      and exists (select from auth.refresh_tokens where session_id = $1 and not revoked)
    returning id, user_id
  ), method as (
    insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
    select gen_random_uuid(), id, $4, $6, $6 from session
    on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at
  ), former_tokens as (
    delete from auth.refresh_tokens where session_id in (select id from session) returning id
  ), token as (
    insert into auth.refresh_tokens (token, user_id, revoked, created_at, updated_at, parent, session_id)
    select $5, user_id::text, false, $6, $6, '', session.id
    from session cross join (select count(*) from former_tokens) as deleted
  ), lower_sessions as (
    delete from auth.sessions where user_id = $2 and id <> $1 and coalesce(aal, 'aal1') = 'aal1'
  ), network as (
    insert into intercede.known_networks (user_id, network_hash, last_used_at)
    select user_id, $7, $6 from session where $7::text is not null
    on conflict (user_id, network_hash) do update set last_used_at = excluded.last_used_at
  )
  select from session`
const READ_RAISED = `select ${ACCOUNT}, ${methodsOf('$2')} from auth.users u where u.id = $1`

/**
 * Raises a session to `aal2`, inside the caller's transaction, which has locked the account. Throws `session_not_found` if the
 * session has ended.
 */
export async function raiseSession(
  { clock }: Services,
  transaction: Queryable,
  { accountId, sessionId, method, factorId, client }: GivenFactor,
): Promise<StoredSession> {
  const refreshToken = createRefreshToken()
  const { rowCount } = await transaction.query({
    name: 'auth:raise-session',
    text: RAISE,
    values: [
      sessionId,
      accountId,
      factorId,
      method,
      refreshToken,
      clock.now(),
      networkHash(accountId, client.ip),
    ],
  })
  const { rows } = await transaction.query<{ account: Account; methods: AuthenticationMethod[] | null }>({
    name: 'auth:read-raised-session',
    text: READ_RAISED,
    values: [accountId, sessionId],
  })
  const [row] = rows
  if (rowCount === 0 || row === undefined) {
    throw new ApiError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
  }
  return { id: sessionId, account: row.account, refreshToken, aal: 'aal2', methods: row.methods ?? [] }
}

/** Signs an access token for a session, valid from now on for the configured time. */
export async function issueAccessToken(services: Services, stored: StoredSession): Promise<Session> {
  const { config, keys, clock } = services
  const { id, account, refreshToken } = stored
  const issuedAt = Math.floor(clock.now().getTime() / 1000)
  const expiresIn = config.jwtExpiry
  const expiresAt = issuedAt + expiresIn
  const accessToken = await signAccessToken(keys, {
    iss: authUrl(config),
    sub: account.id,
    aud: account.aud ?? '',
    exp: expiresAt,
    iat: issuedAt,
    email: account.email ?? '',
    phone: account.phone ?? '',
    app_metadata: account.raw_app_meta_data ?? {},
    user_metadata: account.raw_user_meta_data ?? {},
    role: account.role ?? '',
    aal: stored.aal,
    amr: stored.methods,
    session_id: id,
    is_anonymous: account.is_anonymous,
  })
  return { id, account, accessToken, refreshToken, expiresIn, expiresAt }
}

const REFRESH_TOKEN_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** Characters of each half of a refresh token: 130 random bits. */
const HALF_LENGTH = 26

/** A new refresh token. It ends like the one it replaces, by which `intercede.rotate_refresh_token` recognises used ones. */
export function createRefreshToken(replaced = ''): string {
  const ending = replaced.length > HALF_LENGTH ? replaced.slice(-HALF_LENGTH) : randomHalf()
  return randomHalf() + ending
}

function randomHalf(): string {
  return Array.from(randomBytes(HALF_LENGTH), (byte) =>
    REFRESH_TOKEN_ALPHABET.charAt(byte % REFRESH_TOKEN_ALPHABET.length),
  ).join('')
}

/** supabase/auth internal/tokens/service.go AccessTokenResponse, in the order of its fields. */
export interface SessionJson {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  expires_at: number
  refresh_token: string
  user: UserJson
}

/**
 * The response body for a session. Also sets the headers that go with it; the prefix of the refresh token tells
 * refreshes apart in logs without revealing the token.
 */
export function renderSession(reply: FastifyReply, session: Session): SessionJson {
  void reply
    .header('sb-auth-user-id', session.account.id)
    .header('sb-auth-session-id', session.id)
    .header('sb-auth-refresh-token-prefix', session.refreshToken.slice(0, 5))
  return {
    access_token: session.accessToken,
    token_type: 'bearer',
    expires_in: session.expiresIn,
    expires_at: session.expiresAt,
    refresh_token: session.refreshToken,
    user: renderUser(session.account),
  }
}
