import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { attack, bearer } from './attack.ts'
import { protectedCalls } from './protected-calls.ts'
import { startWithTwoPeople, type TwoPeople } from './two-people.ts'

let world: TwoPeople

beforeAll(async () => {
  world = await startWithTwoPeople()
})

afterAll(() => world.close())

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const hmac = (content: string, key: string | Uint8Array, hash = 'sha256') =>
  createHmac(hash, key).update(content).digest('base64url')

/** What an attacker knows who has no account: the public key, which claims there are, and a person's id. */
function claimsOfAnna(changes: object = {}): object {
  const now = Math.floor(world.server.clock.now().getTime() / 1000)
  return {
    sub: world.anna.id,
    aud: 'authenticated',
    role: 'authenticated',
    iat: now,
    exp: now + 3600,
    session_id: '00000000-0000-4000-8000-000000000000',
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

/** Tokens that the secret has not signed. */
const UNSIGNED: Readonly<Record<string, () => string>> = {
  'of no algorithm': () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claimsOfAnna())}.`,
  'of no algorithm, in capitals': () => `${encode({ alg: 'NONE' })}.${encode(claimsOfAnna())}.`,
  'of no algorithm, in mixed letters': () => `${encode({ alg: 'nOnE' })}.${encode(claimsOfAnna())}.AA`,
  'of no algorithm, with the signature of a real one': () => {
    const [, , signature] = partsOf(world.anna.session.access_token)
    return `${encode({ alg: 'none' })}.${encode(claimsOfAnna())}.${signature}`
  },
  'without an algorithm': () => signed({ typ: 'JWT' }, ''),
  'with an empty secret': () => signed({ alg: 'HS256' }, '\0'),
  'with a guessed secret': () => signed({ alg: 'HS256' }, 'secret'),
  'with the public key as secret': () => signed({ alg: 'HS256' }, world.server.services.keys.anonKey),
  'with a key file named by kid': () => signed({ alg: 'HS256', kid: '../../../../dev/null' }, '\0'),
  'with SQL in kid': () => signed({ alg: 'HS256', kid: "x' union select 'secret' --" }, 'secret'),
  'with a key of its own in the header': () =>
    signed({ alg: 'HS256', jwk: { kty: 'oct', k: Buffer.from('mine').toString('base64url') } }, 'mine'),
  'with the address of a key set': () =>
    signed({ alg: 'HS256', jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/x' }, 'mine'),
  'with an RSA key of its own': () => {
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
  "of Ben, with Anna's id written into it": () => {
    const [header, claims, signature] = partsOf(world.ben.session.access_token)
    const changed: object = JSON.parse(Buffer.from(claims, 'base64url').toString())
    return [header, encode({ ...changed, sub: world.anna.id }), signature].join('.')
  },
  'whose role was raised': () => {
    const [header, claims, signature] = partsOf(world.ben.session.access_token)
    const changed: object = JSON.parse(Buffer.from(claims, 'base64url').toString())
    return [header, encode({ ...changed, role: 'service_role' }), signature].join('.')
  },
  'made as service role': () =>
    signed({ alg: 'HS256' }, 'guessed', claimsOfAnna({ role: 'service_role', sub: undefined })),
  'in five parts': () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AA.AA.AA`,
  'in JSON form': () =>
    JSON.stringify({ protected: encode({ alg: 'HS256' }), payload: encode(claimsOfAnna()) }),
  'the public key, which names nobody': () => world.server.services.keys.anonKey,
}

/** Tokens that the secret has signed, and that yet give no access: stolen secrets aside, these come from ourselves. */
const REFUSED_CLAIMS: Readonly<Record<string, () => Promise<string>>> = {
  'that expired an hour ago': async () => own({ exp: secondsFromNow(-3600) }),
  'for another audience': async () => own({ aud: 'elsewhere' }),
  'of a longer algorithm': async () => {
    const content = `${encode({ alg: 'HS512', typ: 'JWT' })}.${encode(claimsOfAnna())}`
    return `${content}.${hmac(content, world.server.services.keys.secret, 'sha512')}`
  },
  'with an unknown critical header': async () =>
    signed({ alg: 'HS256', crit: ['x'], x: 1 }, world.server.services.keys.secret),
  'whose claims are a list': async () =>
    signed({ alg: 'HS256' }, world.server.services.keys.secret, [claimsOfAnna()]),
  'whose end is a text': async () =>
    signed({ alg: 'HS256' }, world.server.services.keys.secret, claimsOfAnna({ exp: '9999999999' })),
  'whose person is a list': async () =>
    signed({ alg: 'HS256' }, world.server.services.keys.secret, claimsOfAnna({ sub: [world.anna.id] })),
  'whose person is SQL': async () => own({ sub: `${world.anna.id}' or '1'='1` }),
}

function own(changes: Parameters<typeof accessTokenFor>[2]): Promise<string> {
  return accessTokenFor(world.server.services, world.anna.id, changes)
}

function secondsFromNow(seconds: number): number {
  return Math.floor(world.server.clock.now().getTime() / 1000) + seconds
}

async function expectRefusedEverywhere(token: string): Promise<void> {
  const before = await world.everything()
  for (const call of protectedCalls(world.anna)) {
    const answer = await attack(world.server, { ...call, headers: bearer(token) })
    expect([400, 401, 403], `${call.method} ${call.path}: ${answer.text}`).toContain(answer.status)
    expect(answer.text).not.toContain('of anna')
    expect(answer.text).not.toContain(token)
  }
  expect(await world.everything()).toEqual(before)
}

describe('a token that was not signed here opens no call and changes nothing', () => {
  it.each(Object.entries(UNSIGNED))('%s is refused by every call', async (_name, make) => {
    await expectRefusedEverywhere(make())
  })
})

describe('a signed token that is not for this, or not any more, neither', () => {
  it.each(Object.entries(REFUSED_CLAIMS))('%s is refused though it is signed', async (_name, make) => {
    await expectRefusedEverywhere(await make())
  })
})

describe('a signed token of another role than people have', () => {
  it.each(['service_role', 'supabase_admin', 'postgres', 'pg_read_all_data', 'intercede', 'anon'])(
    '%s reads and changes no data',
    async (role) => {
      const before = await world.everything()
      const token = await own({ role })
      for (const call of protectedCalls(world.anna).filter(({ path }) => path.startsWith('/rest'))) {
        const answer = await attack(world.server, { ...call, headers: bearer(token) })
        expect(answer.status, `${call.method} ${call.path}: ${answer.text}`).toBe(401)
      }
      expect(await world.everything()).toEqual(before)
    },
  )
})

describe('a token', () => {
  it.each(['access_token', 'token', 'jwt', 'authorization', 'apikey'])(
    'is not taken from the address, where logs and histories keep it: %s',
    async (name) => {
      const { access_token: token } = world.anna.session
      for (const path of ['/auth/v1/user', '/rest/v1/prayers']) {
        const answer = await attack(world.server, { method: 'GET', path: `${path}?${name}=${token}` })
        expect([400, 401], answer.text).toContain(answer.status)
        expect(answer.text).not.toContain('of anna')
      }
    },
  )

  it('is not taken from a cookie', async () => {
    const cookie = `sb-access-token=${world.anna.session.access_token}; supabase-auth=${world.anna.session.access_token}`
    const answer = await attack(world.server, { method: 'GET', path: '/auth/v1/user', headers: { cookie } })
    expect(answer.status).toBe(401)
  })
})
