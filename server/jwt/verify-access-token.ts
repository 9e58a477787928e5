import { compactVerify, errors } from 'jose'
import { LRUCache } from 'lru-cache'
import { isRecord } from '#shared/is-record.ts'
import type { Clock } from '../services.ts'
import type { TokenKeys } from './token-keys.ts'

/** Each API translates the reason into its own code and message. */
export type TokenErrorReason =
  'malformed' | 'algorithm' | 'signature' | 'expired' | 'not-yet-valid' | 'issued-in-future' | 'audience'

/** A token that was not accepted. Safe to log: it contains nothing of the token. */
export class TokenError extends Error {
  override readonly name = 'TokenError'
  readonly reason: TokenErrorReason

  constructor(reason: TokenErrorReason, options?: ErrorOptions) {
    super(`token rejected: ${reason}`, options)
    this.reason = reason
  }
}

export interface VerifiedToken {
  /** The claims as the JSON text that was signed. */
  json: string
  claims: Readonly<Record<string, unknown>>
}

/** How strictly an API checks the times in a token. */
export interface TimePolicy {
  /** Seconds by which the issuer's clock may differ from ours. */
  leeway: number
  /** Whether a token with a future `iat` is rejected. */
  checksIssuedAt: boolean
}

/** PostgREST src/PostgREST/Auth/Jwt.hs: 30 s for differing clocks, applied to `exp`, `nbf` and `iat`. */
export const DATA_TIME_POLICY: TimePolicy = { leeway: 30, checksIssuedAt: true }
/** GoTrue internal/api/auth.go parses with golang-jwt's defaults: no leeway, `iat` not checked. */
export const AUTH_TIME_POLICY: TimePolicy = { leeway: 0, checksIssuedAt: false }

const AUDIENCE = 'authenticated'
const CACHED_TOKENS = 4096
const decoder = new TextDecoder('utf-8', { fatal: true })
const caches = new WeakMap<TokenKeys, LRUCache<string, VerifiedToken>>()

/**
 * Verifies the signature (HS256 only), times and audience of a token. The signature of a token is computed once; its
 * times are checked on every call.
 * Rejects with `TokenError`. A token without `aud` is accepted, as by the real services: the anon key has none.
 */
export async function verifyAccessToken(
  keys: TokenKeys,
  clock: Clock,
  token: string,
  policy: TimePolicy = DATA_TIME_POLICY,
): Promise<VerifiedToken> {
  const cache = cacheFor(keys)
  const cached = cache.get(token)
  const verified = cached ?? (await verifySignature(keys, token))
  checkTimes(verified.claims, clock.now().getTime() / 1000, policy)
  checkAudience(verified.claims['aud'])
  if (cached === undefined) cache.set(token, verified)
  return verified
}

function cacheFor(keys: TokenKeys): LRUCache<string, VerifiedToken> {
  const existing = caches.get(keys)
  if (existing !== undefined) return existing
  const cache = new LRUCache<string, VerifiedToken>({ max: CACHED_TOKENS })
  caches.set(keys, cache)
  return cache
}

async function verifySignature(keys: TokenKeys, token: string): Promise<VerifiedToken> {
  try {
    const { payload } = await compactVerify(token, keys.secret, { algorithms: ['HS256'] })
    return readClaims(payload)
  } catch (cause) {
    throw new TokenError(reasonFor(cause), { cause })
  }
}

function reasonFor(cause: unknown): TokenErrorReason {
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  if (cause instanceof errors.JOSEAlgNotAllowed || cause instanceof errors.JOSENotSupported)
    return 'algorithm'
  return 'malformed'
}

function readClaims(payload: Uint8Array): VerifiedToken {
  const json = decoder.decode(payload)
  const claims: unknown = JSON.parse(json)
  if (!isRecord(claims)) throw new TypeError('the claims are not an object')
  return { json, claims }
}

const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** The claim `session_id`, which may be anything; null if the token names no session. As GoTrue, takes zeros for none. */
export function sessionClaim({ session_id: id }: VerifiedToken['claims']): unknown {
  return id === undefined || id === '' || id === NIL_UUID ? null : id
}

function checkTimes(claims: VerifiedToken['claims'], now: number, policy: TimePolicy): void {
  const expiry = timeClaim(claims, 'exp')
  const notBefore = timeClaim(claims, 'nbf')
  const issuedAt = timeClaim(claims, 'iat')
  if (expiry !== null && now >= expiry + policy.leeway) throw new TokenError('expired')
  if (notBefore !== null && now < notBefore - policy.leeway) throw new TokenError('not-yet-valid')
  if (policy.checksIssuedAt && issuedAt !== null && now < issuedAt - policy.leeway) {
    throw new TokenError('issued-in-future')
  }
}

function timeClaim(claims: VerifiedToken['claims'], name: 'exp' | 'nbf' | 'iat'): number | null {
  const value = claims[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'number') throw new TokenError('malformed')
  return value
}

function checkAudience(audience: unknown): void {
  if (audience === undefined || audience === null || audience === AUDIENCE) return
  if (Array.isArray(audience) && (audience.length === 0 || audience.includes(AUDIENCE))) return
  throw new TokenError('audience')
}
