import { CompactSign, SignJWT, UnsecuredJWT } from 'jose'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Clock } from '../services.ts'
import { type AccessClaims, signAccessToken } from './access-token.ts'
import type { TokenKeys } from './token-keys.ts'
import { AUTH_TIME_POLICY, DATA_TIME_POLICY, TokenError, verifyAccessToken } from './verify-access-token.ts'

const NOW = 1_772_355_600
const keys: TokenKeys = {
  secret: new TextEncoder().encode('one secret that is long enough for HS256'),
  anonKey: '',
  vapid: { publicKey: '', privateKey: '' },
}
const otherKeys: TokenKeys = {
  ...keys,
  secret: new TextEncoder().encode('another secret, long enough as well'),
}

const claims: AccessClaims = {
  iss: 'http://localhost:3000/auth/v1',
  sub: '1f0e2b0c-5a3e-4b7c-9d53-0c2a4a1f8f10',
  aud: 'authenticated',
  exp: NOW + 3600,
  iat: NOW,
  email: 'ruth@example.com',
  phone: '',
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: {},
  role: 'authenticated',
  aal: 'aal1',
  amr: [{ method: 'password', timestamp: NOW }],
  session_id: '6a3f7b5e-53f0-4c1b-8f6e-4d2f5a0d9c11',
  is_anonymous: false,
}

function at(seconds: number): Clock {
  return { now: () => new Date(seconds * 1000) }
}

async function reasonFor(pending: Promise<unknown>): Promise<string> {
  const error: unknown = await pending.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof TokenError ? error.reason : `not rejected with a TokenError: ${String(error)}`
}

async function signed(
  payload: Record<string, unknown>,
  secret = keys.secret,
  alg = 'HS256',
): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(secret)
}

describe('an access token', () => {
  it('is verified to the claims that were signed, parsed and as text', async () => {
    const token = await signAccessToken(keys, claims)
    const verified = await verifyAccessToken(keys, at(NOW), token)
    expect(verified.claims).toEqual(claims)
    expect(verified.json).toBe(JSON.stringify(claims))
  })

  it('has only the algorithm HS256 and the type in its header', async () => {
    const [header = ''] = (await signAccessToken(keys, claims)).split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' })
  })

  it('is rejected each time when signed with another secret', async () => {
    const forged = await signAccessToken(otherKeys, claims)
    expect(await reasonFor(verifyAccessToken(keys, at(NOW), forged))).toBe('signature')
    expect(await reasonFor(verifyAccessToken(keys, at(NOW), forged))).toBe('signature')
  })

  it.each([
    ['unsigned', async () => new UnsecuredJWT({ ...claims }).encode(), 'algorithm'],
    ['of algorithm none with an invented signature', async () => withAlgorithm('none'), 'algorithm'],
    [
      'signed with HS512',
      async () => signed({ ...claims }, new Uint8Array(64).fill(7), 'HS512'),
      'algorithm',
    ],
    ['empty', async () => '', 'malformed'],
    ['not a token', async () => 'a.b', 'malformed'],
  ])('is rejected when %s', async (_name, make: () => Promise<string>, reason) => {
    expect(await reasonFor(verifyAccessToken(keys, at(NOW), await make()))).toBe(reason)
  })

  it('is rejected with any part altered', async () => {
    const token = await signAccessToken(keys, claims)
    await verifyAccessToken(keys, at(NOW), token)
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 2),
        fc.constantFrom('a', 'b', 'A', 'B', '0', '1', '-', '_'),
        async (index, letter) => {
          const altered = token.slice(0, index) + letter + token.slice(index + 1)
          fc.pre(altered !== token)
          await expect(verifyAccessToken(keys, at(NOW), altered)).rejects.toBeInstanceOf(TokenError)
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })
})

describe('the times in a token', () => {
  it('are checked without leeway for the auth API', async () => {
    const token = await signAccessToken(keys, claims)
    await verifyAccessToken(keys, at(NOW + 3599), token, AUTH_TIME_POLICY)
    expect(await reasonFor(verifyAccessToken(keys, at(NOW + 3600), token, AUTH_TIME_POLICY))).toBe('expired')
  })

  it('are checked with a leeway of 30 s for the data API', async () => {
    const token = await signAccessToken(keys, claims)
    await verifyAccessToken(keys, at(NOW + 3629), token, DATA_TIME_POLICY)
    expect(await reasonFor(verifyAccessToken(keys, at(NOW + 3630), token, DATA_TIME_POLICY))).toBe('expired')
  })

  it('are checked again for a token whose signature was verified before', async () => {
    const token = await signAccessToken(keys, { ...claims, exp: NOW + 60 })
    await verifyAccessToken(keys, at(NOW), token)
    expect(await reasonFor(verifyAccessToken(keys, at(NOW + 7200), token))).toBe('expired')
    await verifyAccessToken(keys, at(NOW), token)
  })

  it('nbf and iat may not be in the future by more than the leeway', async () => {
    const early = await signed({ sub: 'x', nbf: NOW + 31 })
    expect(await reasonFor(verifyAccessToken(keys, at(NOW), early))).toBe('not-yet-valid')
    const ahead = await signed({ sub: 'x', iat: NOW + 31 })
    expect(await reasonFor(verifyAccessToken(keys, at(NOW), ahead))).toBe('issued-in-future')
    await verifyAccessToken(keys, at(NOW), ahead, AUTH_TIME_POLICY)
  })

  it('must be numbers', async () => {
    const token = await signed({ sub: 'x', exp: 'tomorrow' })
    expect(await reasonFor(verifyAccessToken(keys, at(NOW), token))).toBe('malformed')
  })
})

describe('the audience', () => {
  it.each(['someone-else', ['someone-else'], 5])('%j is rejected', async (aud) => {
    expect(await reasonFor(verifyAccessToken(keys, at(NOW), await signed({ aud })))).toBe('audience')
  })

  it.each([undefined, 'authenticated', ['other', 'authenticated']])('%j is accepted', async (aud) => {
    const claimed = aud === undefined ? {} : { aud }
    expect((await verifyAccessToken(keys, at(NOW), await signed(claimed))).claims).toEqual(claimed)
  })
})

it('claims that are not an object are rejected', async () => {
  const list = await new CompactSign(new TextEncoder().encode('[1]'))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(keys.secret)
  expect(await reasonFor(verifyAccessToken(keys, at(NOW), list))).toBe('malformed')
})

function withAlgorithm(alg: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg, typ: 'JWT' })}.${part(claims)}.AAAA`
}
