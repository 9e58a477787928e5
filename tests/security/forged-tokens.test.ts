import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { attack, type Attack, bearer } from './attack.ts'
import { useTwoUsers } from './two-users.ts'
import { protectedCalls } from './protected-calls.ts'

const world = useTwoUsers()

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hmac = (content: string, key: string | Uint8Array, hash = 'sha256') =>
  createHmac(hash, key).update(content).digest('base64url')

/** Claims as an attacker without an account can know them, including a user's id. */
function claimsOfAnna(changes: object = {}): object {
  const now = Math.floor(world.server.clock.now().getTime() / 1000)
  return {
    sub: world.anna.id,
    aud: 'authenticated',
    role: 'authenticated',
    iat: now,
    exp: now + 3600,
    // Names no session, so that nothing but what is wrong with the token gets it rejected.
    session_id: '',
    ...changes,
  }
}

function signed(header: object, key: string | Uint8Array, claims: object = claimsOfAnna()): string {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${hmac(content, key)}`
}

function partsOf(token: string): [header: string, claims: string, signature: string] {
  const [header = '', claims = '', signature = ''] = token.split('.')
  return [header, claims, signature]
}

function changedTokenOfBen(changes: object): string {
  const [header, claims, signature] = partsOf(world.ben.session.access_token)
  const changed: object = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return [header, encode({ ...changed, ...changes }), signature].join('.')
}

/** Tokens that were not signed with the secret. */
const UNSIGNED: Readonly<Record<string, () => string>> = {
  'with algorithm none': () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claimsOfAnna())}.`,
  'with algorithm NONE': () => `${encode({ alg: 'NONE' })}.${encode(claimsOfAnna())}.`,
  'with algorithm nOnE': () => `${encode({ alg: 'nOnE' })}.${encode(claimsOfAnna())}.AA`,
  'with algorithm none and the signature of a real token': () => {
    const [, , signature] = partsOf(world.anna.session.access_token)
    return `${encode({ alg: 'none' })}.${encode(claimsOfAnna())}.${signature}`
  },
  'without an algorithm': () => signed({ typ: 'JWT' }, ''),
  'with an empty secret': () => signed({ alg: 'HS256' }, '\0'),
  'with the API key as secret': () => signed({ alg: 'HS256' }, world.server.services.keys.anonKey),
  'with a file name in kid': () => signed({ alg: 'HS256', kid: '../../../../dev/null' }, '\0'),
  'with SQL in kid': () => signed({ alg: 'HS256', kid: "x' union select 'secret' --" }, 'secret'),
  'with its own key in the header': () =>
    signed({ alg: 'HS256', jwk: { kty: 'oct', k: Buffer.from('mine').toString('base64url') } }, 'mine'),
  'with the URL of a key set': () =>
    signed({ alg: 'HS256', jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/x' }, 'mine'),
  'with its own RSA key': () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = publicKey.export({ format: 'jwk' })
    const content = `${encode({ alg: 'RS256', jwk })}.${encode(claimsOfAnna())}`
    return `${content}.${createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url')}`
  },
  'without a signature': () => partsOf(world.anna.session.access_token).slice(0, 2).join('.').concat('.'),
  'with half a signature': () => world.anna.session.access_token.slice(0, -20),
  "with the signature of Ben's token": () => {
    const [header, claims] = partsOf(world.anna.session.access_token)
    return [header, claims, partsOf(world.ben.session.access_token)[2]].join('.')
  },
  "of Ben, changed to Anna's id": () => changedTokenOfBen({ sub: world.anna.id }),
  'of Ben, changed to the service role': () => changedTokenOfBen({ role: 'service_role' }),
  'created with the service role': () =>
    signed({ alg: 'HS256' }, 'guessed', claimsOfAnna({ role: 'service_role', sub: undefined })),
  'in five parts': () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AA.AA.AA`,
  'in JSON serialisation': () =>
    JSON.stringify({ protected: encode({ alg: 'HS256' }), payload: encode(claimsOfAnna()) }),
  'that is the API key': () => world.server.services.keys.anonKey,
}

/** Tokens that were signed with the secret, but must be rejected for what they contain. */
const INVALID_CLAIMS: Readonly<Record<string, () => Promise<string>>> = {
  'that expired an hour ago': async () => signedByServer({ exp: secondsFromNow(-3600) }),
  'for another audience': async () => signedByServer({ aud: 'elsewhere' }),
  'with algorithm HS512': async () => {
    const content = `${encode({ alg: 'HS512', typ: 'JWT' })}.${encode(claimsOfAnna())}`
    return `${content}.${hmac(content, world.server.services.keys.secret, 'sha512')}`
  },
  'with an unknown critical header': async () =>
    signed({ alg: 'HS256', crit: ['x'], x: 1 }, world.server.services.keys.secret),
  'whose claims are an array': async () =>
    signed({ alg: 'HS256' }, world.server.services.keys.secret, [claimsOfAnna()]),
  'whose expiry is a string': async () =>
    signed({ alg: 'HS256' }, world.server.services.keys.secret, claimsOfAnna({ exp: '9999999999' })),
  'whose user is an array': async () =>
    signed({ alg: 'HS256' }, world.server.services.keys.secret, claimsOfAnna({ sub: [world.anna.id] })),
  'whose user is SQL': async () => signedByServer({ sub: `${world.anna.id}' or '1'='1` }),
}

function signedByServer(changes: Parameters<typeof accessTokenFor>[2]): Promise<string> {
  return accessTokenFor(world.server.services, world.anna.id, changes)
}

function secondsFromNow(seconds: number): number {
  return Math.floor(world.server.clock.now().getTime() / 1000) + seconds
}

const forged = () => signed({ alg: 'HS256' }, 'secret')

/** All calls of an API verify tokens with the same function, so that these stand for all of them. */
const OF_BOTH_APIS = ['/auth/v1/user', '/rest/v1/prayers']

async function expectRejected(token: string, calls: readonly Attack[]): Promise<void> {
  const before = await world.allRows()
  for (const call of calls) {
    const response = await attack(world.server, { ...call, headers: bearer(token) })
    expect([400, 401, 403], `${call.method} ${call.path}: ${response.text}`).toContain(response.status)
    expect(response.text).not.toContain('of anna')
    expect(response.text).not.toContain(token)
  }
  expect(await world.allRows()).toEqual(before)
}

it('every call rejects a forged token, and nothing changes', async () => {
  await expectRejected(forged(), await protectedCalls(world.server, world.anna))
})

it.each([
  ...Object.entries(UNSIGNED).map(([name, make]) => [`a token ${name}`, make] as const),
  ...Object.entries(INVALID_CLAIMS).map(([name, make]) => [`a signed token ${name}`, make] as const),
])('both APIs reject %s, and nothing changes', async (_name, make) => {
  const calls = OF_BOTH_APIS.flatMap((path) => [
    { method: 'GET', path },
    path.startsWith('/auth')
      ? { method: 'PUT', path, body: { data: { full_name: 'Taken' } } }
      : { method: 'DELETE', path: `${path}?user_id=eq.${world.anna.id}` },
  ])
  await expectRejected(await make(), calls)
})

it.each(['service_role', 'supabase_admin', 'postgres', 'pg_read_all_data', 'intercede', 'anon'])(
  'a signed token for the role %s, which is not that of users, neither reads nor changes data',
  async (role) => {
    const calls = (await protectedCalls(world.server, world.anna)).filter(({ path }) =>
      path.startsWith('/rest'),
    )
    await expectRejected(await signedByServer({ role }), calls)
  },
)

describe('a token', () => {
  it.each(['access_token', 'token', 'jwt', 'authorization', 'apikey'])(
    'is not accepted from the query string, which ends up in logs and histories: %s',
    async (name) => {
      const { access_token: token } = world.anna.session
      for (const path of ['/auth/v1/user', '/rest/v1/prayers']) {
        const response = await attack(world.server, { method: 'GET', path: `${path}?${name}=${token}` })
        expect([400, 401], response.text).toContain(response.status)
        expect(response.text).not.toContain('of anna')
      }
    },
  )

  it('is not accepted from a cookie', async () => {
    const cookie = `sb-access-token=${world.anna.session.access_token}; supabase-auth=${world.anna.session.access_token}`
    const response = await attack(world.server, { method: 'GET', path: '/auth/v1/user', headers: { cookie } })
    expect(response.status).toBe(401)
  })
})
