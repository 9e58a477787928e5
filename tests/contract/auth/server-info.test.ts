// GET /settings, /health and /.well-known/jwks.json: what clients can learn about an installation.
import { expect, it } from 'vitest'
import { startTestServer } from '#tests/support/server.ts'
import { useTestServer } from '#tests/support/shared-server.ts'
import { call } from './auth-client.ts'

const server = useTestServer()

it('lists the available providers and features in the settings (supabase/auth internal/api/settings.go)', async () => {
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
  // GoTrue has a provider x, but its settings never list it.
  expect(Object(body).external).not.toHaveProperty('x')
})

it('derives the settings from the configuration', async () => {
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

it('responds to health checks as GoTrue does', async () => {
  const { status, body } = await call(server, 'GET', '/health')
  expect(status).toBe(200)
  expect(body).toEqual({
    version: expect.stringMatching(/^v\d+\.\d+\.\d+$/),
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  })
})

it('serves an empty key set that may be cached and needs no public key (internal/api/jwks.go)', async () => {
  const response = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ keys: [] })
  expect(response.headers.get('cache-control')).toBe('public, max-age=600')
})

it('requires the public key for settings, health and user', async () => {
  for (const path of ['/settings', '/health', '/user']) {
    expect((await fetch(`${server.url}/auth/v1${path}`)).status).toBe(401)
  }
})
