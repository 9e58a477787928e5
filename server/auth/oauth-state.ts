import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import { Uuid } from './request-body.ts'

/** The provider's names: the one that the product uses, and GoTrue's name for X with OAuth 2.0. */
export type ProviderName = 'twitter' | 'x'

/** What is stored while a user is at the provider. */
export interface OAuthState {
  provider: ProviderName
  /** Where the browser goes afterwards. */
  target: string
  /** PKCE code verifier. */
  verifier: string
}

/** How long a user may stay at the provider, in seconds (internal/conf/configuration.go FlowStateExpiryDuration). */
export const STATE_LIFETIME = 300

/** They make a verifier of 43 characters, the shortest that RFC 7636 allows. */
const VERIFIER_BYTES = 32

const CREATE = `
  with verifier as (
    insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at) values ($2, $3, $4, $6)
  )
  insert into auth.flow_state (
    id, provider_type, authentication_method, referrer, oauth_client_state_id, created_at, updated_at
  ) values ($1, $3, 'oauth', $5, $2, $6, $6)`
const TAKE = `
  with flow as (
    delete from auth.flow_state where id = $1
    returning provider_type, referrer, oauth_client_state_id, created_at
  ), verifier as (
    delete from auth.oauth_client_states v using flow where v.id = flow.oauth_client_state_id
    returning v.code_verifier
  )
  select flow.provider_type, flow.referrer, verifier.code_verifier, flow.created_at from flow cross join verifier`

interface StateRow {
  provider_type: ProviderName
  referrer: string
  code_verifier: string
  created_at: Date
}

/** Stores a new state. Resolves to the state parameter and the PKCE verifier of the authorization request. */
export async function createState(
  { pool, clock }: Services,
  { provider, target }: { provider: ProviderName; target: string },
): Promise<{ state: string; verifier: string }> {
  const state = randomUUID()
  const verifier = randomBytes(VERIFIER_BYTES).toString('base64url')
  await pool.query({
    name: 'auth:create-state',
    text: CREATE,
    values: [state, randomUUID(), provider, verifier, target, clock.now()],
  })
  return { state, verifier }
}

/**
 * Consumes a state. Throws the errors of supabase/auth internal/api/external.go when the parameter is missing,
 * malformed, unknown (or used already) or expired.
 */
export async function takeState({ pool, clock }: Services, state: string): Promise<OAuthState> {
  if (state === '') throw new ApiError(400, 'bad_oauth_callback', 'OAuth state parameter missing')
  if (!v.is(Uuid, state)) throw badState('OAuth state parameter is invalid')
  const { rows } = await pool.query<StateRow>({ name: 'auth:take-state', text: TAKE, values: [state] })
  const [row] = rows
  if (row === undefined) throw badState('OAuth state not found or expired')
  if (row.created_at.getTime() + STATE_LIFETIME * 1000 < clock.now().getTime()) {
    throw badState('OAuth state has expired')
  }
  return { provider: row.provider_type, target: row.referrer, verifier: row.code_verifier }
}

function badState(message: string): ApiError {
  return new ApiError(400, 'bad_oauth_state', message)
}
