import { randomBytes, randomUUID } from 'node:crypto'
import { ApiError } from '../../errors/api-error.ts'
import type { Services } from '../../services.ts'

/** Names of the provider: the one that the product asks for, and the one that the real service gives OAuth 2.0. */
export type XProviderName = 'twitter' | 'x'

/** A person who was sent to the provider and has not come back yet. */
export interface SignInState {
  provider: XProviderName
  /** Where the web app waits. */
  target: string
  verifier: string
}

/** Seconds that a person may take (supabase/auth internal/conf/configuration.go FlowStateExpiryDuration). */
export const STATE_LIFETIME = 300

/** 43 characters, the shortest that RFC 7636 allows. */
const VERIFIER_BYTES = 32

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

const KEEP = `
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
  provider_type: XProviderName
  referrer: string
  code_verifier: string
  created_at: Date
}

/** Remembers that a person is being sent away. Resolves to the state parameter and the PKCE verifier. */
export async function keepState(
  { pool, clock }: Services,
  given: { provider: XProviderName; target: string },
): Promise<{ state: string; verifier: string }> {
  const state = randomUUID()
  const verifier = randomBytes(VERIFIER_BYTES).toString('base64url')
  await pool.query({
    name: 'auth:keep-state',
    text: KEEP,
    values: [state, randomUUID(), given.provider, verifier, given.target, clock.now()],
  })
  return { state, verifier }
}

/**
 * Takes the state back, once. Throws the refusals of supabase/auth internal/api/external.go for one that is missing,
 * no state at all, unknown (or used already) or too old.
 */
export async function takeState({ pool, clock }: Services, state: string): Promise<SignInState> {
  if (state === '') throw new ApiError(400, 'bad_oauth_callback', 'OAuth state parameter missing')
  if (!UUID.test(state)) throw badState('OAuth state parameter is invalid')
  const { rows } = await pool.query<StateRow>({ name: 'auth:take-state', text: TAKE, values: [state] })
  const kept = rows[0]
  if (kept === undefined) throw badState('OAuth state not found or expired')
  if (kept.created_at.getTime() + STATE_LIFETIME * 1000 < clock.now().getTime()) {
    throw badState('OAuth state has expired')
  }
  return { provider: kept.provider_type, target: kept.referrer, verifier: kept.code_verifier }
}

function badState(message: string): ApiError {
  return new ApiError(400, 'bad_oauth_state', message)
}
