import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { fastify, type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerWebApp } from './web-app.ts'

const SCRIPT = 'export const answer = 42\n'.repeat(100)
const page = {
  url: '',
  anonKey: 'key',
  siteUrl: 'http://localhost:3000',
  productName: 'Fran\u00e7ois & "Friends" <b>',
  xProvider: 'twitter',
  xEnabled: false,
  isSignUpClosed: false,
}
let root: string
let app: FastifyInstance

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'intercede-web-'))
  await mkdir(join(root, 'assets'))
  await writeFile(
    join(root, 'index.html'),
    '<html><head><title>Built</title><meta property="og:title" content="Built" />' +
      '<meta property="og:image" content="/social-preview.png" /></head><body></body></html>',
  )
  await writeFile(
    join(root, 'manifest.webmanifest'),
    '{"name":"Built","short_name":"Built","display":"standalone"}',
  )
  await writeFile(join(root, 'assets', 'main-abc123.js'), SCRIPT)
  await writeFile(join(root, 'assets', 'main-abc123.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(root, 'assets', 'main-abc123.js.gz'), gzipSync(SCRIPT))
  await writeFile(join(root, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(root, 'sw.js'), SCRIPT)
  await writeFile(join(root, 'sw.js.br'), brotliCompressSync(SCRIPT))
  app = fastify()
  await app.register(async (scope) => registerWebApp(scope, { root, page, https: true }))
})

afterAll(async () => {
  await app.close()
  await rm(root, { recursive: true })
})

describe('the page', () => {
  it.each(['/', '/dashboard', '/auth/callback?error=x.y', '/no/such/page', '/v1.2/page'])(
    'is sent for %s',
    async (url) => {
      const response = await app.inject({ url })
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.headers['cache-control']).toBe('no-cache')
    },
  )

  it('contains its configuration and the product name, escaped', async () => {
    const html = (await app.inject({ url: '/' })).body
    expect(html).not.toContain('<b>')
    const content = /<meta name="intercede-config" content="([^"]*)">/.exec(html)?.[1] ?? ''
    expect(JSON.parse(unescapeHtml(content))).toEqual(page)
    expect(unescapeHtml(/<title>([^<]*)</.exec(html)?.[1] ?? '')).toBe(page.productName)
  })

  it('has the product name and an absolute image URL for link previews', async () => {
    const html = (await app.inject({ url: '/' })).body
    expect(unescapeHtml(/og:title" content="([^"]*)"/.exec(html)?.[1] ?? '')).toBe(page.productName)
    expect(html).toContain('<meta property="og:image" content="http://localhost:3000/social-preview.png" />')
  })

  it('is not sent again to a browser that has the current version', async () => {
    const first = await app.inject({ url: '/' })
    const second = await app.inject({
      url: '/dashboard',
      headers: { 'if-none-match': first.headers.etag ?? '' },
    })
    expect(second.statusCode).toBe(304)
    expect(second.body).toBe('')
  })

  it('is compressed for clients that accept it', async () => {
    const plain = (await app.inject({ url: '/' })).body
    const br = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain)
    const gz = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(gz.rawPayload).toString()).toBe(plain)
  })

  it('may only run its own files', async () => {
    const { headers } = await app.inject({ url: '/' })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("worker-src 'self'")
    expect(policy).toContain("manifest-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['strict-transport-security']).toBe('max-age=63072000')
  })
})

describe('a file of the app', () => {
  it('with a hash in its name is cached for ever, and sent precompressed', async () => {
    const response = await app.inject({
      url: '/assets/main-abc123.js',
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(response.rawPayload).toString()).toBe(SCRIPT)
  })

  it('without a hash is cached for an hour', async () => {
    const response = await app.inject({ url: '/favicon.svg' })
    expect(response.headers['cache-control']).toBe('public, max-age=3600')
  })

  it.each(['identity', 'br'])('that is the service worker is checked each time (%s)', async (encoding) => {
    const response = await app.inject({ url: '/sw.js', headers: { 'accept-encoding': encoding } })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/javascript; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-cache')
  })
})

it('puts the product name into the manifest', async () => {
  const response = await app.inject({ url: '/manifest.webmanifest' })
  expect(response.headers['content-type']).toBe('application/manifest+json')
  expect(response.json()).toEqual({
    name: page.productName,
    short_name: page.productName,
    display: 'standalone',
  })
})

describe('a path that is not a page', () => {
  it.each([
    ['GET', '/assets/gone-000000.js'],
    ['GET', '/assets/gone'],
    ['GET', '/worker.js?v=1'],
    ['GET', '/favicon.ico'],
    ['GET', '/some/folder/file.map'],
    ['GET', '/auth/v2/user'],
    ['GET', '/rest/v2'],
    ['GET', '/reminders/v1/gone'],
    ['GET', '/storage/v1?x'],
    ['POST', '/dashboard'],
  ] as const)('%s %s returns 404 as JSON', async (method, url) => {
    const response = await app.inject({ method, url })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({ code: 'not_found', message: 'Not found' })
  })

  it.each(['/../package.json', '/..%2f..%2fetc/passwd', '/assets/..%2findex.html.br'])(
    'never leads to a file outside the folder: %s',
    async (url) => {
      const response = await app.inject({ url })
      expect(response.body).not.toMatch(/root:|"name": "intercede"/)
    },
  )
})

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
