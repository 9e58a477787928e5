import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limitReadingTime } from './request-limits.ts'

const MIB = 1024 * 1024

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A response that is read byte by byte, and never to its end. */
function unreadResponse(): Writable {
  const response = new Writable({ write: () => {} })
  response.end('x')
  return response
}

it.each([
  [0, 60_000],
  [3 * MIB, 120_000],
  [14 * MIB, 340_000],
])('disconnects a client that has not read %i bytes after %i ms', (bytes, milliseconds) => {
  const response = unreadResponse()
  limitReadingTime(response, bytes)
  vi.advanceTimersByTime(milliseconds - 1)
  expect(response.destroyed).toBe(false)
  vi.advanceTimersByTime(1)
  expect(response.destroyed).toBe(true)
})

it('lets go of a response that has been read', async () => {
  const response = new Writable({ write: (_chunk, _encoding, done) => done() })
  limitReadingTime(response, MIB)
  await new Promise((read) => response.end('x', () => read(null)))
  expect(vi.getTimerCount()).toBe(0)
})
