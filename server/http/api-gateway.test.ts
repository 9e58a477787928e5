import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApiGateway } from './api-gateway.ts'

let app: FastifyInstance

beforeAll(async () => {
  app = fastify()
  for (const api of ['auth', 'rest'] as const) {
    await app.register(
      async (scope) => {
        await registerApiGateway(scope, { api, anonKey: 'the-public-key', https: false })
        scope.get('/settings', () => ({ ok: true }))
        scope.get('/verify', () => ({ ok: true }))
      },
      { prefix: `/${api}/v1` },
    )
  }
})

afterAll(() => app.close())

describe('the public key', () => {
  it('is asked for', async () => {
    const answer = await app.inject({ url: '/rest/v1/settings' })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['sb-error-code']).toBe('UNAUTHORIZED_MISSING_API_KEY')
    expect(answer.json()).toEqual({
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    })
  })

  it('must be the right one', async () => {
    const answer = await app.inject({ url: '/auth/v1/settings', headers: { apikey: 'the-public-kez' } })
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['sb-error-code']).toBe('UNAUTHORIZED_INVALID_API_KEY')
    expect(answer.json()).toMatchObject({ message: 'Invalid API key' })
  })

  it.each([{ headers: { apikey: 'the-public-key' } }, { query: { apikey: 'the-public-key' } }])(
    'opens the way as %j',
    async (given) => {
      expect((await app.inject({ url: '/auth/v1/settings', ...given })).statusCode).toBe(200)
    },
  )

  it('is not asked for where a browser navigates, and only there', async () => {
    expect((await app.inject({ url: '/auth/v1/verify?token=x' })).statusCode).toBe(200)
    expect((await app.inject({ url: '/rest/v1/verify' })).statusCode).toBe(401)
  })
})

describe('other origins', () => {
  it('may send what the client libraries send, without the key on the preflight', async () => {
    const answer = await app.inject({
      method: 'OPTIONS',
      url: '/rest/v1/anything',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'apikey,authorization,content-profile,prefer,x-retry-count',
      },
    })
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-methods']).toContain('PATCH')
    for (const name of ['apikey', 'authorization', 'content-profile', 'prefer', 'x-retry-count']) {
      expect(answer.headers['access-control-allow-headers']).toContain(name)
    }
  })

  it('may read the headers that the client libraries read', async () => {
    const answer = await app.inject({
      url: '/auth/v1/settings',
      headers: { origin: 'https://elsewhere.example', apikey: 'the-public-key' },
    })
    for (const name of ['content-range', 'x-supabase-api-version', 'x-sb-error-code']) {
      expect(answer.headers['access-control-expose-headers']).toContain(name)
    }
  })
})

it('answers an unknown path in the shape of its surface', async () => {
  const headers = { apikey: 'the-public-key' }
  const auth = await app.inject({ url: '/auth/v1/nowhere', headers })
  expect([auth.statusCode, auth.json().error_code]).toEqual([404, 'not_found'])
  const rest = await app.inject({ url: '/rest/v1/no/where', headers })
  expect([rest.statusCode, rest.json().code]).toEqual([404, 'PGRST125'])
})

it('lets no cache keep an answer', async () => {
  const answer = await app.inject({ url: '/rest/v1/settings', headers: { apikey: 'the-public-key' } })
  expect(answer.headers['cache-control']).toBe('no-store')
})
