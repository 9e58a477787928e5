import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, signIn } from '#tests/contract/auth/auth-client.ts'
import { startTestServer } from '#tests/support/server.ts'
import { attack, bearer } from './attack.ts'
import { useTwoUsers } from './two-users.ts'
import { protectedCalls } from './protected-calls.ts'

const EVIL = 'https://evil.example'
let webRoot: string

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'intercede-web-'))
  await writeFile(join(webRoot, 'index.html'), '<html><head><title>x</title></head><body></body></html>')
  await writeFile(join(webRoot, 'manifest.webmanifest'), '{}')
  await writeFile(join(webRoot, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
})

afterAll(() => rm(webRoot, { recursive: true }))

const world = useTwoUsers(() => ({ webRoot, config: { siteUrl: 'https://pray.example.org' } }))

/** One request for every kind of response. */
const REQUESTS = [
  ['GET', '/'],
  ['GET', '/dashboard'],
  ['GET', '/favicon.svg'],
  ['GET', '/manifest.webmanifest'],
  ['GET', '/assets/none.js'],
  ['POST', '/dashboard'],
  ['GET', '/auth/v1/health'],
  ['GET', '/auth/v1/user'],
  ['GET', '/auth/v1/verify?type=recovery&token=x'],
  ['GET', '/auth/v1/authorize?provider=twitter'],
  ['GET', '/auth/v1/callback?state=x'],
  ['POST', '/auth/v1/token?grant_type=password'],
  ['GET', '/auth/v1/nowhere'],
  ['GET', '/rest/v1/prayers'],
  ['GET', '/rest/v1/'],
  ['GET', '/storage/v1/object'],
  ['GET', '/%ff'],
  ['OPTIONS', '/rest/v1/prayers'],
] as const

describe('every response', () => {
  it.each(REQUESTS)('%s %s has safe headers', async (method, path) => {
    const { headers } = await attack(world.server, { method, path, headers: { origin: EVIL } })
    for (const name of ['set-cookie', 'access-control-allow-credentials', 'x-powered-by', 'server'])
      expect(headers.get(name), name).toBeNull()
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    // The router rejects this URL before any hook runs.
    if (path === '/%ff') return
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000')
  })

  it('requires TLS only if users reach the site over TLS', async () => {
    const plain = await startTestServer({ webRoot })
    const responses = await Promise.all(
      ['/', '/auth/v1/health'].map((path) => attack(plain, { method: 'GET', path })),
    )
    await plain.close()
    for (const { headers } of responses) expect(headers.get('strict-transport-security')).toBeNull()
  })
})

describe('another site', () => {
  it('cannot act for a user through cookies or other headers that the browser sends', async () => {
    const before = await world.allRows()
    const cookie = `supabase-auth=${JSON.stringify(world.anna.session)}; sb-access-token=${world.anna.session.access_token}`
    for (const protectedCall of await protectedCalls(world.server, world.anna)) {
      const response = await attack(world.server, {
        ...protectedCall,
        headers: { origin: EVIL, cookie, referer: `${EVIL}/`, 'sec-fetch-site': 'cross-site' },
      })
      expect([401, 403], `${protectedCall.path}: ${response.text}`).toContain(response.status)
    }
    expect(await world.allRows()).toEqual(before)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'cannot act for a user through a form of type %s, which needs no preflight request',
    async (type) => {
      const before = await world.allRows()
      for (const { method, path, body } of await protectedCalls(world.server, world.anna)) {
        const response = await fetch(`${world.server.url}${path}`, {
          method: method === 'GET' ? 'GET' : 'POST',
          headers: { origin: EVIL, 'content-type': type },
          ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
        })
        expect(response.status, path).toBe(401)
      }
      expect(await world.allRows()).toEqual(before)
    },
  )

  it('cannot sign a user out through an image or a link', async () => {
    const { access_token: token } = world.anna.session
    const key = world.server.services.keys.anonKey
    for (const path of [`/auth/v1/logout?apikey=${key}`, `/auth/v1/logout?apikey=${key}&scope=global`]) {
      expect((await fetch(`${world.server.url}${path}`)).status).toBe(404)
    }
    const response = await attack(world.server, {
      method: 'GET',
      path: '/auth/v1/user',
      headers: bearer(token),
    })
    expect(response.status).toBe(200)
  })

  it.each(['_method', 'x-http-method-override', 'x-http-method', 'x-method-override'])(
    'cannot replace the method through %s',
    async (name) => {
      const before = await world.allRows()
      const { access_token: token } = world.anna.session
      const response = await attack(world.server, {
        method: 'GET',
        path: `/rest/v1/prayers?id=eq.${world.anna.prayerId}`,
        headers: { ...bearer(token), [name]: 'DELETE' },
      })
      expect(response.status).toBe(200)
      expect(await world.allRows()).toEqual(before)
    },
  )
})

it('responses about a user are never cached', async () => {
  const token = world.anna.session.access_token
  for (const path of ['/auth/v1/user', '/rest/v1/prayers']) {
    const { headers } = await attack(world.server, { method: 'GET', path, headers: bearer(token) })
    expect(headers.get('cache-control')).toBe('no-store')
  }
  expect((await signIn(world.server, 'anna@example.org')).headers.get('cache-control')).toBe('no-store')
  expect(
    (await call(world.server, 'GET', '/verify?type=recovery&token=x')).headers.get('cache-control'),
  ).toBe('no-store')
})

it('responses with tokens are not compressed, so that their length reveals nothing about them', async () => {
  const { headers } = await signIn(world.server, 'anna@example.org')
  expect(headers.get('content-encoding')).toBeNull()
})
