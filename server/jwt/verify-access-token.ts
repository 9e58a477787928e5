import { compactVerify, errors } from 'jose'
import { isRecord } from '#shared/fields.ts'
import type { Clock } from '../services.ts'
import { signingKey } from './signing-key.ts'
import { TokenError } from './token-error.ts'
import type { TokenKeys } from './token-keys.ts'
import { VerifiedTokenCache } from './verified-token-cache.ts'

/** A token whose signature and times were checked. */
export interface VerifiedToken {
  /** The claims as the JSON text that was signed. */
  json: string
  claims: Readonly<Record<string, unknown>>
}

/** How exact a surface is about time. */
export interface TimePolicy {
  /** Seconds by which the issuer's clock may differ from ours. */
  leeway: number
  /** Whether a token from the future is refused. */
  checksIssuedAt: boolean
}

/** PostgREST src/PostgREST/Auth/Jwt.hs: 30 s for differing clocks, on all three times. */
export const DATA_TIME_POLICY: TimePolicy = { leeway: 30, checksIssuedAt: true }
/** GoTrue internal/api/auth.go parses with golang-jwt's defaults: no leeway, `iat` not looked at. */
export const AUTH_TIME_POLICY: TimePolicy = { leeway: 0, checksIssuedAt: false }

const AUDIENCE = 'authenticated'
const CACHED_TOKENS = 4096
const decoder = new TextDecoder('utf-8', { fatal: true })
const caches = new WeakMap<TokenKeys, VerifiedTokenCache<VerifiedToken>>()

/**
 * Checks signature (HS256 and nothing else), times and audience of a token. The signature of a token seen before is
 * not computed again; its times are checked each time.
 * Rejects with `TokenError`. A token without `aud` passes, as with the real services: the public key is one.
 */
export async function verifyAccessToken(
  keys: TokenKeys,
  clock: Clock,
  token: string,
  policy: TimePolicy = DATA_TIME_POLICY,
): Promise<VerifiedToken> {
  const cache = cacheOf(keys)
  const known = cache.get(token)
  const verified = known ?? (await verifySignature(keys, token))
  try {
    checkTimes(verified.claims, clock.now().getTime() / 1000, policy)
  } catch (error) {
    cache.delete(token)
    throw error
  }
  checkAudience(verified.claims['aud'])
  if (known === undefined) cache.set(token, verified)
  return verified
}

function cacheOf(keys: TokenKeys): VerifiedTokenCache<VerifiedToken> {
  const known = caches.get(keys)
  if (known !== undefined) return known
  const fresh = new VerifiedTokenCache<VerifiedToken>(CACHED_TOKENS)
  caches.set(keys, fresh)
  return fresh
}

async function verifySignature(keys: TokenKeys, token: string): Promise<VerifiedToken> {
  const key = await signingKey(keys)
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ['HS256'] })
    return readClaims(payload)
  } catch (cause) {
    throw new TokenError(refusalOf(cause), { cause })
  }
}

function refusalOf(cause: unknown): 'signature' | 'algorithm' | 'malformed' {
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

function timeClaim(claims: VerifiedToken['claims'], name: string): number | null {
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
