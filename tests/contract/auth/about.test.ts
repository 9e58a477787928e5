// GET /settings, /health and /.well-known/jwks.json: what an installation says of itself.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { call } from './auth-client.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

it('settings name what is offered (supabase/auth internal/api/settings.go)', async () => {
  const { status, body } = await call(server, 'GET', '/settings')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    external: {
      anonymous_users: false,
      apple: false,
      twitter: false,
      email: true,
      phone: false,
      zoom: false,
    },
    disable_signup: false,
    mailer_autoconfirm: true,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: false,
  })
  // There is a provider x in the real service, but its settings never tell.
  expect(Object(body).external).not.toHaveProperty('x')
})

it('settings follow the configuration', async () => {
  const provider = {
    clientId: 'id',
    clientSecret: 'secret',
    authorizeUrl: 'https://x.example/authorize',
    tokenUrl: 'https://x.example/token',
    profileUrl: 'https://x.example/me',
    pictureOrigin: 'https://x.example',
  }
  const other = await startTestServer({ config: { x: provider, confirmEmail: true, disableSignup: true } })
  const { body } = await call(other, 'GET', '/settings')
  await other.close()
  expect(body).toMatchObject({
    external: { twitter: true },
    disable_signup: true,
    mailer_autoconfirm: false,
  })
  expect(JSON.stringify(body)).not.toContain('secret')
})

it('health answers as the real service', async () => {
  const { status, body } = await call(server, 'GET', '/health')
  expect(status).toBe(200)
  expect(body).toEqual({
    version: expect.stringMatching(/^v\d+\.\d+\.\d+$/),
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  })
})

it('key set is empty, may be cached and needs no public key (internal/api/jwks.go)', async () => {
  const answer = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ keys: [] })
  expect(answer.headers.get('cache-control')).toBe('public, max-age=600')
})

it('settings, health and user need the public key', async () => {
  for (const path of ['/settings', '/health', '/user']) {
    expect((await fetch(`${server.url}/auth/v1${path}`)).status).toBe(401)
  }
})
