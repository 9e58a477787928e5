import { ApiError } from '../errors/api-error.ts'
import type { Caller } from '../db/request-scope.ts'
import { TokenError, type TokenErrorReason, verifyAccessToken } from '../jwt/verify-access-token.ts'
import type { Services } from '../services.ts'
import { tokenRefused } from './refusals.ts'

const BEARER = /^bearer(?: +(.*))?$/i
const ANONYMOUS: Caller = { role: 'anon', claims: '{"role":"anon"}' }

/** Texts of PostgREST (src/PostgREST/Error.hs). */
const REFUSALS: Readonly<Record<TokenErrorReason, readonly ['PGRST301' | 'PGRST303', string]>> = {
  malformed: ['PGRST301', 'JWT cryptographic operation failed'],
  algorithm: ['PGRST301', 'Wrong or unsupported encoding algorithm'],
  signature: ['PGRST301', 'No suitable key or wrong key type'],
  expired: ['PGRST303', 'JWT expired'],
  'not-yet-valid': ['PGRST303', 'JWT not yet valid'],
  'issued-in-future': ['PGRST303', 'JWT issued at future'],
  audience: ['PGRST303', 'JWT not in audience'],
}

/**
 * Who makes a request, by its `Authorization` header. Without one, or with the public key in it (client libraries
 * send that while nobody is signed in), it is the anonymous caller. Throws PGRST301 and PGRST303 for a token that
 * is not accepted.
 */
export async function identifyCaller(
  services: Pick<Services, 'keys' | 'clock'>,
  authorization: string | undefined,
): Promise<Caller> {
  const match = BEARER.exec(authorization ?? '')
  if (match === null) return ANONYMOUS
  const token = match[1]?.trim() ?? ''
  if (token === services.keys.anonKey) return ANONYMOUS
  checkForm(token)
  return await verifiedCaller(services, token)
}

function checkForm(token: string): void {
  if (token === '') throw tokenRefused('PGRST301', 'Empty JWT is sent in Authorization header')
  const parts = token.split('.').length
  if (parts !== 3) throw tokenRefused('PGRST301', `Expected 3 parts in JWT; got ${parts}`)
}

async function verifiedCaller(services: Pick<Services, 'keys' | 'clock'>, token: string): Promise<Caller> {
  try {
    const { claims, json } = await verifyAccessToken(services.keys, services.clock, token)
    return { role: roleOf(claims['role']), claims: json }
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    const [code, description] = REFUSALS[error.reason]
    throw tokenRefused(code, description)
  }
}

/** A token can only ever name one of the two roles that callers have. */
function roleOf(claim: unknown): Caller['role'] {
  if (claim === undefined || claim === null || claim === 'anon') return 'anon'
  if (claim === 'authenticated') return 'authenticated'
  throw unknownRole(typeof claim === 'string' ? claim : JSON.stringify(claim))
}

function unknownRole(role: string): ApiError {
  const headers = { 'www-authenticate': 'Bearer' }
  return new ApiError(401, '22023', `role "${role}" does not exist`, { headers })
}
