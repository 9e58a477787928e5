import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addPeople, ANNA } from '#tests/support/people.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await addPeople(server.services.pool)
})

afterAll(() => server.close())

const read = (token: string | null, headers: Record<string, string> = {}) =>
  send(server, '/categories', { token, headers })
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signedWith(secret: string, header: object, claims: object): string {
  const content = `${part(header)}.${part(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

function claimsOf(token: string): object {
  const claims: object = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return claims
}

describe('a token of this server', () => {
  it('is accepted', async () => {
    expect((await read(await accessTokenFor(server.services, ANNA))).status).toBe(200)
  })

  it('is accepted for half a minute after its end, for the sake of differing clocks', async () => {
    const now = Math.floor(server.clock.now().getTime() / 1000)
    expect((await read(await accessTokenFor(server.services, ANNA, { exp: now - 29 }))).status).toBe(200)
  })
})

describe('nobody', () => {
  it.each([
    ['without a header', null, {}],
    ['with another kind of header', null, { authorization: 'Basic abc' }],
  ])('is the caller %s', async (_name, token, headers) => {
    const answer = await read(token, headers)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(answer.json()).toMatchObject({ code: '42501', message: 'permission denied for table categories' })
  })

  it('is the caller with the public key as token, as client libraries send it', async () => {
    expect((await read(server.services.keys.anonKey)).json()).toMatchObject({ code: '42501' })
  })
})

describe('a token that is not accepted', () => {
  const now = () => Math.floor(server.clock.now().getTime() / 1000)

  it.each([
    ['empty', async () => '', 'PGRST301', 'Empty JWT is sent in Authorization header'],
    ['in two parts', async () => 'a.b', 'PGRST301', 'Expected 3 parts in JWT; got 2'],
    ['noise', async () => 'a.b.c', 'PGRST301', 'JWT cryptographic operation failed'],
    [
      'signed with another key',
      async () => signedWith('guessed', { alg: 'HS256' }, { sub: ANNA, role: 'authenticated' }),
      'PGRST301',
      'No suitable key or wrong key type',
    ],
    [
      'unsigned',
      async () => `${part({ alg: 'none' })}.${part({ sub: ANNA, role: 'authenticated' })}.`,
      'PGRST301',
      'Wrong or unsupported encoding algorithm',
    ],
    [
      'expired',
      async () => accessTokenFor(server.services, ANNA, { exp: now() - 31 }),
      'PGRST303',
      'JWT expired',
    ],
    [
      'of tomorrow',
      async () => accessTokenFor(server.services, ANNA, { iat: now() + 60 }),
      'PGRST303',
      'JWT issued at future',
    ],
    [
      'for others',
      async () => accessTokenFor(server.services, ANNA, { aud: 'elsewhere' }),
      'PGRST303',
      'JWT not in audience',
    ],
  ])('because it is %s: %s', async (_name, make: () => Promise<string>, code, message) => {
    const answer = await read(await make())
    expect(answer.status).toBe(401)
    expect(answer.json()).toEqual({ code, details: null, hint: null, message })
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="${message}"`,
    )
    expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  })

  it('because its claims were changed', async () => {
    const token = await accessTokenFor(server.services, ANNA)
    const [header, , signature] = token.split('.')
    const forged = [header, part({ ...claimsOf(token), role: 'anon' }), signature].join('.')
    expect((await read(forged)).json()).toMatchObject({ code: 'PGRST301' })
  })

  it.each(['service_role', 'postgres', 'intercede', 'none', 'AUTHENTICATED', 'authenticated; reset role'])(
    'because it names the role %s, though it is signed',
    async (role) => {
      const answer = await read(await accessTokenFor(server.services, ANNA, { role }))
      expect(answer.status).toBe(401)
      expect(answer.json()).toMatchObject({ code: '22023', message: `role "${role}" does not exist` })
    },
  )
})

it('a refused token never changes anything', async () => {
  const token = signedWith('guessed', { alg: 'HS256' }, { sub: ANNA, role: 'authenticated' })
  const answer = await send(server, '/categories', { method: 'POST', token, body: { name: 'x', order: 1 } })
  expect(answer.status).toBe(401)
  const { rows } = await server.services.pool.query('select 1 from public.categories')
  expect(rows).toEqual([])
})
