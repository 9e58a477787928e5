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

describe('the API key', () => {
  it('is required', async () => {
    const response = await app.inject({ url: '/rest/v1/settings' })
    expect(response.statusCode).toBe(401)
    expect(response.headers['sb-error-code']).toBe('UNAUTHORIZED_MISSING_API_KEY')
    expect(response.json()).toEqual({
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    })
  })

  it('must be correct', async () => {
    const response = await app.inject({ url: '/auth/v1/settings', headers: { apikey: 'the-public-kez' } })
    expect(response.statusCode).toBe(401)
    expect(response.headers['sb-error-code']).toBe('UNAUTHORIZED_INVALID_API_KEY')
    expect(response.json()).toMatchObject({ message: 'Invalid API key' })
  })

  it.each([{ headers: { apikey: 'the-public-key' } }, { query: { apikey: 'the-public-key' } }])(
    'is accepted as %j',
    async (request) => {
      expect((await app.inject({ url: '/auth/v1/settings', ...request })).statusCode).toBe(200)
    },
  )

  it('is not required for paths that a browser navigates to, and only for those', async () => {
    expect((await app.inject({ url: '/auth/v1/verify?token=x' })).statusCode).toBe(200)
    expect((await app.inject({ url: '/rest/v1/verify' })).statusCode).toBe(401)
  })
})

describe('pages of other origins', () => {
  it('may send every header, and need no API key for the preflight request', async () => {
    const response = await app.inject({
      method: 'OPTIONS',
      url: '/rest/v1/anything',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers':
          'apikey,authorization,content-profile,prefer,x-retry-count,x-new-header',
      },
    })
    expect(response.statusCode).toBe(204)
    expect(response.headers['access-control-allow-origin']).toBe('*')
    expect(response.headers['access-control-allow-methods']).toContain('PATCH')
    expect(response.headers['access-control-allow-headers']).toBe(
      'apikey,authorization,content-profile,prefer,x-retry-count,x-new-header',
    )
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  it('may read the headers that the client libraries read', async () => {
    const response = await app.inject({
      url: '/auth/v1/settings',
      headers: { origin: 'https://elsewhere.example', apikey: 'the-public-key' },
    })
    for (const name of ['content-range', 'x-supabase-api-version', 'x-sb-error-code']) {
      expect(response.headers['access-control-expose-headers']).toContain(name)
    }
  })
})

it('responds to an unknown path in the error format of the API', async () => {
  const headers = { apikey: 'the-public-key' }
  const auth = await app.inject({ url: '/auth/v1/nowhere', headers })
  expect([auth.statusCode, auth.json().error_code]).toEqual([404, 'not_found'])
  const rest = await app.inject({ url: '/rest/v1/no/where', headers })
  expect([rest.statusCode, rest.json().code]).toEqual([404, 'PGRST125'])
})

it('forbids caching of responses', async () => {
  const response = await app.inject({ url: '/rest/v1/settings', headers: { apikey: 'the-public-key' } })
  expect(response.headers['cache-control']).toBe('no-store')
})
