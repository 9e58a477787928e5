import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { encodeResponse } from './encode-response.ts'

const response = (body: string | null) => ({ status: 200, headers: { 'content-range': '0-0/*' }, body })
const KIBIBYTE = 1024
const LONG = JSON.stringify({ name: 'Zoë '.repeat(KIBIBYTE) })

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, GZIP;q=0.5', 'gzip'],
  ['br;q=0.1, gzip', 'gzip'],
])('compresses a long body for %j with %s', async (accepted, encoding) => {
  const { status, headers, body = Buffer.of() } = await encodeResponse(response(LONG), accepted)
  expect([status, headers]).toEqual([
    200,
    { 'content-range': '0-0/*', vary: 'accept-encoding', 'content-encoding': encoding },
  ])
  expect(body.length).toBeLessThan(LONG.length / 10)
  expect(DECODERS[encoding]?.(body).toString()).toBe(LONG)
})

it.each([undefined, '', 'identity', 'zstd', 'br;q=0, gzip;q=0', 'identity, gzip;q=0.5'])(
  'does not compress for %j',
  async (accepted) => {
    const { headers, body } = await encodeResponse(response(LONG), accepted)
    expect(headers).toEqual({ 'content-range': '0-0/*', vary: 'accept-encoding' })
    expect(body?.toString()).toBe(LONG)
  },
)

it('does not compress a short body', async () => {
  const short = 'x'.repeat(KIBIBYTE)
  const { headers, body } = await encodeResponse(response(short), 'br')
  expect(headers).toEqual({ 'content-range': '0-0/*' })
  expect(body?.toString()).toBe(short)
})

it.each(['br', 'gzip'])(
  'compresses a body with %s that is too large to be compressed at once',
  async (encoding) => {
    const large = LONG.repeat(100)
    const { headers, body = Buffer.of() } = await encodeResponse(response(large), encoding)
    expect(headers).toMatchObject({ 'content-encoding': encoding })
    expect(DECODERS[encoding]?.(body).toString()).toBe(large)
  },
)

it('leaves a response without a body as it is', async () => {
  expect(await encodeResponse(response(null), 'br')).toEqual({ ...response(null), body: undefined })
})
