import * as v from 'valibot'
import type { Caller } from '../db/request-scope.ts'
import {
  sessionClaim,
  TokenError,
  type TokenErrorReason,
  type VerifiedToken,
  verifyAccessToken,
} from '../jwt/verify-access-token.ts'
import type { Services } from '../services.ts'
import { sessionEnded, tokenRejected, unknownRole } from './errors.ts'

/** A caller, and the account that its token is for; null for an anonymous caller. */
export interface IdentifiedCaller extends Caller {
  accountId: string | null
}

const Uuid = v.pipe(v.string(), v.uuid())
const BEARER = /^bearer(?: +(.*))?$/i
const ANONYMOUS: IdentifiedCaller = { role: 'anon', claims: '{"role":"anon"}', accountId: null }

/** Codes and messages of PostgREST (src/PostgREST/Error.hs). */
const TOKEN_ERRORS: Readonly<Record<TokenErrorReason, readonly ['PGRST301' | 'PGRST303', string]>> = {
  malformed: ['PGRST301', 'JWT cryptographic operation failed'],
  algorithm: ['PGRST301', 'Wrong or unsupported encoding algorithm'],
  signature: ['PGRST301', 'No suitable key or wrong key type'],
  expired: ['PGRST303', 'JWT expired'],
  'not-yet-valid': ['PGRST303', 'JWT not yet valid'],
  'issued-in-future': ['PGRST303', 'JWT issued at future'],
  audience: ['PGRST303', 'JWT not in audience'],
}

/**
 * The caller named by the `Authorization` header. Without a bearer token, or with the anon key as the token (client
 * libraries send it while signed out), the caller is anonymous.
 * Throws PGRST301 and PGRST303 for a token that is not accepted, and 22023 for one with an unknown role.
 */
export async function identifyCaller(
  services: Pick<Services, 'keys' | 'clock'>,
  authorization: string | undefined,
): Promise<IdentifiedCaller> {
  const match = BEARER.exec(authorization ?? '')
  if (match === null) return ANONYMOUS
  const token = match[1]?.trim() ?? ''
  if (token === services.keys.anonKey) return ANONYMOUS
  checkParts(token)
  return await callerOfToken(services, token)
}

function checkParts(token: string): void {
  if (token === '') throw tokenRejected('PGRST301', 'Empty JWT is sent in Authorization header')
  const parts = token.split('.').length
  if (parts !== 3) throw tokenRejected('PGRST301', `Expected 3 parts in JWT; got ${parts}`)
}

async function callerOfToken(
  services: Pick<Services, 'keys' | 'clock'>,
  token: string,
): Promise<IdentifiedCaller> {
  try {
    const { claims, json } = await verifyAccessToken(services.keys, services.clock, token)
    const role = roleOf(claims['role'])
    const { sub } = claims
    return {
      role,
      claims: json,
      sessionId: sessionIdOf(claims),
      accountId: role === 'authenticated' && typeof sub === 'string' ? sub : null,
    }
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    throw tokenRejected(...TOKEN_ERRORS[error.reason])
  }
}

/** `runAs` checks the session; what is not an id names none that exists. */
function sessionIdOf(claims: VerifiedToken['claims']): string | null {
  const id = sessionClaim(claims)
  if (id !== null && !v.is(Uuid, id)) throw sessionEnded()
  return id
}

/** Whatever a token claims, a caller only ever gets one of these two roles. */
function roleOf(claim: unknown): Caller['role'] {
  if (claim === undefined || claim === null || claim === 'anon') return 'anon'
  if (claim === 'authenticated') return 'authenticated'
  throw unknownRole(typeof claim === 'string' ? claim : JSON.stringify(claim))
}
