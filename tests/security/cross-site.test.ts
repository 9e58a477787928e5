import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, signIn } from '#tests/contract/auth/auth-client.ts'
import { attack, bearer } from './attack.ts'
import { protectedCalls } from './protected-calls.ts'
import { startWithTwoPeople, type TwoPeople } from './two-people.ts'

const EVIL = 'https://evil.example'
let world: TwoPeople
let webRoot: string

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'intercede-web-'))
  await writeFile(join(webRoot, 'index.html'), '<html><head><title>x</title></head><body></body></html>')
  await writeFile(join(webRoot, 'manifest.webmanifest'), '{}')
  await writeFile(join(webRoot, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  world = await startWithTwoPeople({ webRoot, config: { siteUrl: 'https://pray.example.org' } })
})

afterAll(async () => {
  await world.close()
  await rm(webRoot, { recursive: true })
})

/** One address of every kind that is answered. */
const ANSWERS = [
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

describe('every answer', () => {
  it.each(ANSWERS)(
    '%s %s sets no cookie, is taken for nothing else and lends credentials to nobody',
    async (method, path) => {
      const { headers } = await attack(world.server, { method, path, headers: { origin: EVIL } })
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('server')).toBeNull()
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  it.each(ANSWERS.filter(([, path]) => path !== '/%ff'))(
    '%s %s is framed by nobody, tells nobody where it was, and keeps to TLS',
    async (method, path) => {
      const { headers } = await attack(world.server, { method, path, headers: { origin: EVIL } })
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('strict-transport-security')).toBe('max-age=63072000')
    },
  )

  it('promises TLS only where people come over TLS', async () => {
    const plain = await startWithTwoPeople({ webRoot })
    try {
      for (const path of ['/', '/auth/v1/health']) {
        const { headers } = await attack(plain.server, { method: 'GET', path })
        expect(headers.get('strict-transport-security')).toBeNull()
      }
    } finally {
      await plain.close()
    }
  })
})

describe('another site', () => {
  it('is let at the API by its own means alone: any origin, and never with what the browser adds', async () => {
    const { headers } = await attack(world.server, {
      method: 'OPTIONS',
      path: '/rest/v1/prayers',
      headers: {
        origin: EVIL,
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'authorization',
      },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('can not act for a person by what their browser sends along', async () => {
    const before = await world.everything()
    const cookie = `supabase-auth=${JSON.stringify(world.anna.session)}; sb-access-token=${world.anna.session.access_token}`
    for (const protectedCall of protectedCalls(world.anna)) {
      const answer = await attack(world.server, {
        ...protectedCall,
        headers: { origin: EVIL, cookie, referer: `${EVIL}/`, 'sec-fetch-site': 'cross-site' },
      })
      expect([401, 403], `${protectedCall.path}: ${answer.text}`).toContain(answer.status)
    }
    expect(await world.everything()).toEqual(before)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'can not act by a form of type %s, which needs no permission to be sent',
    async (type) => {
      const before = await world.everything()
      for (const { method, path, body } of protectedCalls(world.anna)) {
        const answer = await fetch(`${world.server.url}${path}`, {
          method: method === 'GET' ? 'GET' : 'POST',
          headers: { origin: EVIL, 'content-type': type },
          ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
        })
        expect(answer.status, path).toBe(401)
      }
      expect(await world.everything()).toEqual(before)
    },
  )

  it('can not have a person signed out by a picture or a link', async () => {
    const { access_token: token } = world.anna.session
    const key = world.server.services.keys.anonKey
    for (const path of [`/auth/v1/logout?apikey=${key}`, `/auth/v1/logout?apikey=${key}&scope=global`]) {
      expect((await fetch(`${world.server.url}${path}`)).status).toBe(404)
    }
    const answer = await attack(world.server, {
      method: 'GET',
      path: '/auth/v1/user',
      headers: bearer(token),
    })
    expect(answer.status).toBe(200)
  })

  it.each(['_method', 'x-http-method-override', 'x-http-method', 'x-method-override'])(
    'can not turn one method into another by %s',
    async (name) => {
      const before = await world.everything()
      const { access_token: token } = world.anna.session
      const answer = await attack(world.server, {
        method: 'GET',
        path: `/rest/v1/prayers?id=eq.${world.anna.prayerId}`,
        headers: { ...bearer(token), [name]: 'DELETE' },
      })
      expect(answer.status).toBe(200)
      expect(await world.everything()).toEqual(before)
    },
  )
})

it('an answer about a person is kept by no cache', async () => {
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
