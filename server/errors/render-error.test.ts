import { fastify, LogController } from 'fastify'
import { describe, expect, it } from 'vitest'
import { ApiError, overCapacity } from './api-error.ts'
import { type ErrorShape, createErrorRenderer } from './render-error.ts'

/** The response of a route that throws. */
async function responseTo(api: ErrorShape, thrown: unknown, headers: Record<string, string> = {}) {
  const app = fastify()
  app.setErrorHandler(createErrorRenderer(api))
  app.get('/', () => {
    throw thrown
  })
  return app.inject({ url: '/', headers })
}

const dated = { 'x-supabase-api-version': '2024-01-01' }

describe('errors of the auth API', () => {
  const error = new ApiError(400, 'invalid_credentials', 'Invalid login credentials')

  it('are {code, message} for a client that sends the dated version, which is echoed', async () => {
    const response = await responseTo('auth', error, dated)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
    expect(response.headers['x-supabase-api-version']).toBe('2024-01-01')
    expect(response.headers['x-sb-error-code']).toBe('invalid_credentials')
  })

  it.each([{}, { 'x-supabase-api-version': 'soon' }, { 'x-supabase-api-version': '2023-12-31' }])(
    'have the older shape and no version echo for headers %j',
    async (headers) => {
      const response = await responseTo('auth', error, headers)
      expect(response.json()).toEqual({
        code: 400,
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      })
      expect(response.headers).not.toHaveProperty('x-supabase-api-version')
    },
  )

  it('list the reasons for a weak password, with the code in a header only in the older shape', async () => {
    const weak = new ApiError(422, 'weak_password', 'Password should be at least 6 characters.', {
      weakPasswordReasons: ['length'],
    })
    const response = await responseTo('auth', weak, dated)
    expect(response.json()).toEqual({
      code: 'weak_password',
      message: 'Password should be at least 6 characters.',
      weak_password: { reasons: ['length'] },
    })
    expect(response.headers).not.toHaveProperty('x-sb-error-code')
    expect((await responseTo('auth', weak)).headers['x-sb-error-code']).toBe('weak_password')
  })

  it('reveal nothing about an unexpected failure', async () => {
    const response = await responseTo('auth', new Error('relation "secret" broke'), dated)
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual({
      code: 'unexpected_failure',
      message: 'Unexpected failure, please check server logs for more information',
    })
  })
})

describe('errors of the data API', () => {
  it('always have the four members and Proxy-Status', async () => {
    const response = await responseTo(
      'rest',
      new ApiError(406, 'PGRST116', 'Cannot coerce', { details: 'The result contains 0 rows' }),
    )
    expect(response.statusCode).toBe(406)
    expect(response.json()).toEqual({
      code: 'PGRST116',
      details: 'The result contains 0 rows',
      hint: null,
      message: 'Cannot coerce',
    })
    expect(response.headers['proxy-status']).toBe('PostgREST; error=PGRST116')
  })

  it('are shortened where they quote the request at length', async () => {
    const text = `${'x'.repeat(3999)}\u{1F54A}`.repeat(2)
    const response = await responseTo(
      'rest',
      new ApiError(400, 'PGRST100', text, { details: text, hint: text }),
    )
    const shortened = `${'x'.repeat(3999)}\ufffd…`
    expect(response.json()).toMatchObject({ message: shortened, details: shortened, hint: shortened })
  })

  it('reveal nothing about an unexpected failure', async () => {
    const response = await responseTo('rest', 'a thrown string')
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('thrown string')
  })
})

describe('the log of a response of 500 or above', () => {
  async function logOf(thrown: unknown): Promise<unknown> {
    const lines: string[] = []
    const logger = { level: 'info', stream: { write: (line: string) => lines.push(line) } }
    const app = fastify({ logger, logController: new LogController({ disableRequestLogging: true }) })
    app.setErrorHandler(createErrorRenderer('auth'))
    app.get('/prayers/:id', () => {
      throw thrown
    })
    await app.inject('/prayers/hush?token=hush')
    return JSON.parse(lines.join(''))
  }

  it('is an error with its cause and the route, and without the URL', async () => {
    const line = await logOf(new Error('broken'))
    expect(line).toMatchObject({ level: 50, msg: 'request failed', err: { message: 'broken' } })
    expect(line).toMatchObject({ method: 'GET', route: '/prayers/:id', status: 500 })
    expect(JSON.stringify(line)).not.toContain('hush')
  })

  it('is information without a stack where the server is meant to respond like this', async () => {
    const line = await logOf(overCapacity())
    expect(line).toMatchObject({ level: 30, msg: 'request rejected', code: 'over_capacity' })
    expect(line).not.toHaveProperty('err')
  })
})

describe('errors raised by the framework', () => {
  it('become 413 for a body over the limit', async () => {
    for (const [api, code] of [
      ['auth', 'request_entity_too_large'],
      ['rest', 'PGRST102'],
    ] as const) {
      const app = fastify({ bodyLimit: 10 })
      app.setErrorHandler(createErrorRenderer(api))
      app.post('/', () => 'never reached')
      const response = await app.inject({
        method: 'POST',
        url: '/',
        headers: dated,
        payload: { long: 'x'.repeat(20) },
      })
      expect(response.statusCode).toBe(413)
      expect(response.json()).toMatchObject({ code, message: 'Request body too large (max 10 bytes)' })
    }
  })

  it('become bad_json for a body that is not JSON', async () => {
    const app = fastify()
    app.setErrorHandler(createErrorRenderer('auth'))
    app.post('/', () => 'never reached')
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: { ...dated, 'content-type': 'application/json' },
      payload: '{"email":',
    })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'bad_json' })
    expect(response.json().message).toMatch(/^Could not parse request body as JSON: /)
  })
})
