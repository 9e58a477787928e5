import { expect, it } from 'vitest'
import { clientDetails } from './client-details.ts'

/** What is stored of a user agent that a client sends as these bytes. */
function storedFor(bytes: Buffer): string | null {
  // Node decodes headers like this.
  const headers = { 'user-agent': bytes.toString('latin1') }
  return clientDetails({ headers, ip: '127.0.0.1' }).userAgent
}

it.each([
  ['ASCII', Buffer.from('Firefox/131.0 (Android 14)'), 'Firefox/131.0 (Android 14)'],
  ['UTF-8', Buffer.from('Café ☃ 😀'), 'Café ☃ 😀'],
  ['Latin-1', Buffer.from('Café', 'latin1'), 'Café'],
  ['UTF-8 that is cut off', Buffer.from('Café').subarray(0, -1), 'CafÃ'],
  ['control characters', Buffer.from('a\0b\tc\x1bd\u0085e'), 'a b c d e'],
  ['control characters in Latin-1', Buffer.from('a\x85é', 'latin1'), 'a é'],
  ['more than 512 characters of UTF-8', Buffer.from('é'.repeat(600)), 'é'.repeat(512)],
  ['512 characters of two code units', Buffer.from('😀'.repeat(513)), '😀'.repeat(512)],
])('a user agent is stored as text: %s', (_, bytes, text) => {
  expect(storedFor(bytes)).toBe(text)
})

it('a client without a user agent has none', () => {
  expect(clientDetails({ headers: {}, ip: '::1' })).toEqual({ userAgent: null, ip: '::1' })
})
