import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
})

const read = (token: string | null, headers: Record<string, string> = {}) =>
  send(server, '/categories', { token, headers })
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function signedWith(secret: string, header: object, claims: object): string {
  const content = `${part(header)}.${part(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

describe('a token signed by this server', () => {
  it('is accepted', async () => {
    expect((await read(await accessTokenFor(server.services, ANNA))).status).toBe(200)
  })

  it('is accepted until 30 s after it expired, because clocks differ', async () => {
    const now = Math.floor(server.clock.now().getTime() / 1000)
    expect((await read(await accessTokenFor(server.services, ANNA, { exp: now - 29 }))).status).toBe(200)
  })
})

describe('an anonymous caller', () => {
  it.each([
    ['without an Authorization header', null, {}],
    ['with another authorization scheme', null, { authorization: 'Basic abc' }],
  ])('is identified %s', async (_name, token, headers) => {
    const response = await read(token, headers)
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(response.json()).toMatchObject({
      code: '42501',
      message: 'permission denied for table categories',
    })
  })

  it('is identified with the anon key as token, which client libraries send', async () => {
    expect((await read(server.services.keys.anonKey)).json()).toMatchObject({ code: '42501' })
  })
})

describe('a token is rejected', () => {
  const now = () => Math.floor(server.clock.now().getTime() / 1000)

  it.each([
    ['empty', async () => '', 'PGRST301', 'Empty JWT is sent in Authorization header'],
    ['of two parts only', async () => 'a.b', 'PGRST301', 'Expected 3 parts in JWT; got 2'],
    ['three parts of noise', async () => 'a.b.c', 'PGRST301', 'JWT cryptographic operation failed'],
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
      'issued in the future',
      async () => accessTokenFor(server.services, ANNA, { iat: now() + 60 }),
      'PGRST303',
      'JWT issued at future',
    ],
    [
      'for another audience',
      async () => accessTokenFor(server.services, ANNA, { aud: 'elsewhere' }),
      'PGRST303',
      'JWT not in audience',
    ],
  ])('if it is %s', async (_name, make: () => Promise<string>, code, message) => {
    const response = await read(await make())
    expect(response.status).toBe(401)
    expect(response.json()).toEqual({ code, details: null, hint: null, message })
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", error_description="${message}"`,
    )
    expect(response.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  })

  it.each(['service_role', 'none', 'AUTHENTICATED', 'authenticated; reset role'])(
    'if it names the role %s, even with a valid signature',
    async (role) => {
      const response = await read(await accessTokenFor(server.services, ANNA, { role }))
      expect(response.status).toBe(401)
      expect(response.json()).toMatchObject({ code: '22023', message: `role "${role}" does not exist` })
    },
  )
})
