import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { createErrorRenderer, type Surface } from './render-error.ts'

async function answerOf(surface: Surface, thrown: unknown, headers: Record<string, string> = {}) {
  const app = fastify()
  app.setErrorHandler(createErrorRenderer(surface))
  app.get('/', () => {
    throw thrown
  })
  return app.inject({ url: '/', headers })
}

const dated = { 'x-supabase-api-version': '2024-01-01' }

describe('errors of the auth surface', () => {
  const refusal = new ApiError(400, 'invalid_credentials', 'Invalid login credentials')

  it('are {code, message} for a client that names the dated version, and the version is echoed', async () => {
    const answer = await answerOf('auth', refusal, dated)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
    expect(answer.headers['x-supabase-api-version']).toBe('2024-01-01')
    expect(answer.headers['x-sb-error-code']).toBe('invalid_credentials')
  })

  it.each([{}, { 'x-supabase-api-version': 'soon' }, { 'x-supabase-api-version': '2023-12-31' }])(
    'are in the older shape for headers %j, without an echo',
    async (headers) => {
      const answer = await answerOf('auth', refusal, headers)
      expect(answer.json()).toEqual({
        code: 400,
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      })
      expect(answer.headers).not.toHaveProperty('x-supabase-api-version')
    },
  )

  it('give the reasons of a weak password, and name the code in a header only in the older shape', async () => {
    const weak = new ApiError(422, 'weak_password', 'Password should be at least 6 characters.', {
      weakPasswordReasons: ['length'],
    })
    const answer = await answerOf('auth', weak, dated)
    expect(answer.json()).toEqual({
      code: 'weak_password',
      message: 'Password should be at least 6 characters.',
      weak_password: { reasons: ['length'] },
    })
    expect(answer.headers).not.toHaveProperty('x-sb-error-code')
    expect((await answerOf('auth', weak)).headers['x-sb-error-code']).toBe('weak_password')
  })

  it('tell nothing of an unexpected failure', async () => {
    const answer = await answerOf('auth', new Error('relation "secret" broke'), dated)
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toEqual({
      code: 'unexpected_failure',
      message: 'Unexpected failure, please check server logs for more information',
    })
  })
})

describe('errors of the data surface', () => {
  it('always carry the four members and Proxy-Status', async () => {
    const answer = await answerOf(
      'rest',
      new ApiError(406, 'PGRST116', 'Cannot coerce', { details: 'The result contains 0 rows' }),
    )
    expect(answer.statusCode).toBe(406)
    expect(answer.json()).toEqual({
      code: 'PGRST116',
      details: 'The result contains 0 rows',
      hint: null,
      message: 'Cannot coerce',
    })
    expect(answer.headers['proxy-status']).toBe('PostgREST; error=PGRST116')
  })

  it('tell nothing of an unexpected failure', async () => {
    const answer = await answerOf('rest', 'a thrown string')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('thrown string')
  })
})

describe('refusals that the framework makes', () => {
  it('become 413 for a body over the limit', async () => {
    for (const [surface, code] of [
      ['auth', 'request_entity_too_large'],
      ['rest', 'PGRST102'],
    ] as const) {
      const app = fastify({ bodyLimit: 10 })
      app.setErrorHandler(createErrorRenderer(surface))
      app.post('/', () => 'never reached')
      const answer = await app.inject({
        method: 'POST',
        url: '/',
        headers: dated,
        payload: { long: 'x'.repeat(20) },
      })
      expect(answer.statusCode).toBe(413)
      expect(answer.json()).toMatchObject({ code, message: 'Request body too large' })
    }
  })

  it('become bad_json for a body that is not JSON', async () => {
    const app = fastify()
    app.setErrorHandler(createErrorRenderer('auth'))
    app.post('/', () => 'never reached')
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      headers: { ...dated, 'content-type': 'application/json' },
      payload: '{"email":',
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'bad_json' })
    expect(answer.json().message).toMatch(/^Could not parse request body as JSON: /)
  })
})
