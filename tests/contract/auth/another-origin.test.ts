// A server whose web app is hosted on a different origin: SITE_URL is the web app, API_URL the server (GoTrue's SITE_URL
// and API_EXTERNAL_URL). What browsers may do from there is tested in server/http/api-gateway.test.ts.
import { expect, it } from 'vitest'
import { linkIn } from '#tests/support/mailbox.ts'
import { useSurroundings, useTestServer } from '#tests/support/shared-server.ts'
import { call, claimsOf, newUser, signUp } from './auth-client.ts'

const SITE = 'https://prayers.example.org'
const API = 'https://api.example.org'

const around = useSurroundings()
const server = useTestServer(() => ({ config: { ...around.config, siteUrl: SITE, apiUrl: API } }))

it('emails a link to the server, which redirects to the site', async () => {
  const email = 'ruth@example.com'
  await newUser(server, email)
  const redirect = encodeURIComponent(`${SITE}/reset-password`)
  await call(server, 'POST', `/recover?redirect_to=${redirect}`, { body: { email } })
  const link = linkIn((await around.mailbox.emails()).at(-1) ?? '')
  expect(link.origin + link.pathname).toBe(`${API}/auth/v1/verify`)
  const { status, headers } = await call(server, 'GET', link.pathname.replace('/auth/v1', '') + link.search)
  expect(status).toBe(303)
  expect(headers.get('location')).toMatch(new RegExp(`^${SITE}/reset-password#access_token=`))
})

it('has X redirect users back to the server', async () => {
  const { headers } = await call(server, 'GET', '/authorize?provider=x')
  const query = new URL(headers.get('location') ?? '').searchParams
  expect(query.get('redirect_uri')).toBe(`${API}/auth/v1/callback`)
})

it('names the server as the issuer of tokens', async () => {
  const { access_token: token } = await signUp(server, 'boas@example.com')
  expect(claimsOf(token)).toMatchObject({ iss: `${API}/auth/v1` })
})
