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
  app = fastify()
  await app.register(async (scope) => registerWebApp(scope, { root, page, https: true }))
})

afterAll(async () => {
  await app.close()
  await rm(root, { recursive: true })
})

describe('the page', () => {
  it.each(['/', '/dashboard', '/auth/callback?error=x', '/no/such/page'])(
    'is the answer to %s',
    async (url) => {
      const answer = await app.inject({ url })
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['cache-control']).toBe('no-cache')
    },
  )

  it('carries its configuration and the name of the product, safely escaped', async () => {
    const html = (await app.inject({ url: '/' })).body
    expect(html).not.toContain('<b>')
    const content = /<meta name="intercede-config" content="([^"]*)">/.exec(html)?.[1] ?? ''
    expect(JSON.parse(unescapeHtml(content))).toEqual(page)
    expect(unescapeHtml(/<title>([^<]*)</.exec(html)?.[1] ?? '')).toBe(page.productName)
  })

  it('names the product and a complete address where it is passed on', async () => {
    const html = (await app.inject({ url: '/' })).body
    expect(unescapeHtml(/og:title" content="([^"]*)"/.exec(html)?.[1] ?? '')).toBe(page.productName)
    expect(html).toContain('<meta property="og:image" content="http://localhost:3000/social-preview.png" />')
  })

  it('is not sent again to a browser that has it', async () => {
    const first = await app.inject({ url: '/' })
    const second = await app.inject({
      url: '/dashboard',
      headers: { 'if-none-match': first.headers.etag ?? '' },
    })
    expect(second.statusCode).toBe(304)
    expect(second.body).toBe('')
  })

  it('comes compressed to whoever accepts it', async () => {
    const plain = (await app.inject({ url: '/' })).body
    const br = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain)
    const gz = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(gz.rawPayload).toString()).toBe(plain)
  })

  it('runs nothing but its own files', async () => {
    const { headers } = await app.inject({ url: '/' })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['strict-transport-security']).toBe('max-age=63072000')
  })
})

describe('files of the app', () => {
  it('with a hash in their name are kept for good, and come precompressed', async () => {
    const answer = await app.inject({
      url: '/assets/main-abc123.js',
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(SCRIPT)
  })

  it('without one are kept for an hour', async () => {
    const answer = await app.inject({ url: '/favicon.svg' })
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
  })
})

it('gives the manifest the name of the product', async () => {
  const answer = await app.inject({ url: '/manifest.webmanifest' })
  expect(answer.headers['content-type']).toBe('application/manifest+json')
  expect(answer.json()).toEqual({
    name: page.productName,
    short_name: page.productName,
    display: 'standalone',
  })
})

describe('addresses that are no page', () => {
  it.each([
    ['GET', '/assets/gone-000000.js'],
    ['GET', '/storage/v1/object/x'],
    ['GET', '/realtime/v1'],
    ['POST', '/dashboard'],
  ] as const)('%s %s is a JSON 404', async (method, url) => {
    const answer = await app.inject({ method, url })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ code: 'not_found', message: 'Not found' })
  })

  it.each(['/../package.json', '/..%2f..%2fetc/passwd', '/assets/..%2findex.html.br'])(
    'nothing outside the folder is sent for %s',
    async (url) => {
      const answer = await app.inject({ url })
      expect(answer.body).not.toMatch(/root:|"name": "intercede"/)
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
