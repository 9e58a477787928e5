import { beforeAll, describe, expect, it } from 'vitest'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { send } from '#tests/support/data-requests.ts'
import { addUsers, ANNA } from '#tests/support/users.ts'
import { useTestServer } from '#tests/support/shared-server.ts'

const SHOW_REQUEST = `
  create function public.show_request() returns json language sql stable as $$
    select json_build_object(
      'method', current_setting('request.method'),
      'path', current_setting('request.path'),
      'headers', current_setting('request.headers')::json
    ) $$`

let token: string

const server = useTestServer()

beforeAll(async () => {
  await addUsers(server.services.pool)
  await server.services.pool.query(SHOW_REQUEST)
  server.clock.advance(1)
  token = await accessTokenFor(server.services, ANNA)
})

async function auth(path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.url}/auth/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { apikey: server.services.keys.anonKey, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
  return { status: response.status, body: await response.json() }
}

describe('features of the real services that this server lacks are named in the error', () => {
  it.each(['/otp', '/magiclink', '/sso', '/admin/oauth/clients', '/admin/other', '/user/identities/1'])(
    'the endpoint /auth/v1%s',
    async (path) => {
      const { status, body } = await auth(path, {})
      const known = /^\/(?:user\/identities|admin\/oauth|\w+)/.exec(path)?.[0] ?? ''
      expect([status, body]).toEqual([
        404,
        expect.objectContaining({ msg: `Not supported by this server: /auth/v1${known}` }),
      ])
    },
  )

  it('but not an endpoint that no service has', async () => {
    expect(await auth('/nowhere', {})).toMatchObject({ status: 404, body: { msg: 'Not found' } })
  })

  it.each([
    ['GET', '/storage/v1/bucket', 'file storage (/storage)'],
    ['POST', '/functions/v1/hello', 'edge functions (/functions)'],
    ['GET', '/realtime/v1/websocket?vsn=1.0.0', 'realtime (/realtime)'],
    ['POST', '/graphql', 'GraphQL (/graphql)'],
  ])('the service of %s %s, also to pages of other origins', async (method, path, service) => {
    const response = await fetch(`${server.url}${path}`, { method, headers: { origin: 'https://a.example' } })
    expect([response.status, await response.json()]).toEqual([
      404,
      { code: 'not_found', message: `Not supported by this server: ${service}` },
    ])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('the description of the data API', async () => {
    const response = await send(server, '/', { token })
    expect([response.status, response.json()]).toEqual([
      400,
      expect.objectContaining({
        message: 'Not supported by this server: the OpenAPI description of the schema',
      }),
    ])
  })

  it.each(['id_token', 'pkce', 'web3'])('the grant %s', async (grant) => {
    expect(await auth(`/token?grant_type=${grant}`, {})).toMatchObject({
      status: 400,
      body: { msg: `Not supported by this server: grant_type=${grant}` },
    })
  })

  it.each([
    ['name=fts.peace', 'the operator fts'],
    ['name=not.match.^A', 'the operator match'],
    ['or=(name.cs.{a},name.eq.b)', 'the operator cs'],
    ['name=eq(any).{a,b}', 'eq(any) and eq(all)'],
    ['select=name->first', 'JSON paths (-> and ->>)'],
    ['name->>first=eq.a', 'JSON paths (-> and ->>)'],
    ['name=isdistinct.a', 'the operator isdistinct'],
    ['select=title:name', 'renamed columns (:)'],
    ['select=id,order::text', 'casts (::)'],
    ['select=id', 'return=headers-only', { prefer: 'return=headers-only' }],
  ])('in /rest/v1/categories?%s: %s', async (query, feature, headers: Record<string, string> = {}) => {
    const response = await send(server, `/categories?${query}`, { token, headers })
    expect([response.status, response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'PGRST127', message: `Not supported by this server: ${feature}` }),
    ])
  })

  it.each(['/signup', '/recover', '/resend'])('the PKCE flow, in %s', async (path) => {
    const body = { email: 'new@example.org', password: 'password', type: 'signup', code_challenge: 'abc' }
    expect(await auth(path, body)).toMatchObject({
      status: 400,
      body: { msg: expect.stringMatching(/^Not supported by this server: the PKCE flow/) },
    })
  })

  it('the PKCE flow, in /authorize', async () => {
    expect(await auth('/authorize?provider=x&code_challenge=abc')).toMatchObject({
      status: 400,
      body: { msg: expect.stringMatching(/^Not supported by this server: the PKCE flow/) },
    })
  })
})

it('SQL functions can read the method, path and headers of the request', async () => {
  const response = await send(server, '/rpc/show_request', {
    method: 'POST',
    token,
    body: {},
    headers: { 'x-client': 'naïve', cookie: 'secret=1' },
  })
  expect(response.json()).toMatchObject({
    method: 'POST',
    path: '/rpc/show_request',
    headers: { 'x-client': 'naïve' },
  })
  expect(response.json()).not.toHaveProperty('headers.cookie')
})
