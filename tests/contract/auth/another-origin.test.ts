// A server whose web app is a site of its own: SITE_URL is the site, API_URL the server (GoTrue's SITE_URL and
// API_EXTERNAL_URL). What browsers may do from there is in server/http/api-gateway.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkIn } from '#tests/support/mailbox.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { startSurroundings, type Surroundings } from '#tests/support/surroundings.ts'
import { call, claimsOf, signUp } from './auth-client.ts'

const SITE = 'https://prayers.example.org'
const API = 'https://api.example.org'

let server: TestServer
let around: Surroundings

beforeAll(async () => {
  around = await startSurroundings()
  server = await startTestServer({ config: { ...around.config, siteUrl: SITE, apiUrl: API } })
})

afterAll(async () => {
  await server.close()
  await around.close()
})

it('a mailed link opens the server, and leads on to the site', async () => {
  const email = 'ruth@example.com'
  await signUp(server, email)
  const redirect = encodeURIComponent(`${SITE}/reset-password`)
  await call(server, 'POST', `/recover?redirect_to=${redirect}`, { body: { email } })
  const link = linkIn((await around.mailbox.mails()).at(-1) ?? '')
  expect(link.origin + link.pathname).toBe(`${API}/auth/v1/verify`)
  const { status, headers } = await call(server, 'GET', link.pathname.replace('/auth/v1', '') + link.search)
  expect(status).toBe(303)
  expect(headers.get('location')).toMatch(new RegExp(`^${SITE}/reset-password#access_token=`))
})

it('X sends people back to the server', async () => {
  const { headers } = await call(server, 'GET', '/authorize?provider=x')
  const asked = new URL(headers.get('location') ?? '').searchParams
  expect(asked.get('redirect_uri')).toBe(`${API}/auth/v1/callback`)
})

it('tokens name the server as their issuer', async () => {
  const { access_token: token } = await signUp(server, 'boas@example.com')
  expect(claimsOf(token)).toMatchObject({ iss: `${API}/auth/v1` })
})
