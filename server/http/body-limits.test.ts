import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BODY_LIMIT, limitBodies } from './body-limits.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['16 KiB', BODY_LIMIT, 20_000],
  ['25 MiB', 25 * 1024 * 1024, 57_500],
])('disconnects a client that takes too long for a body of %s', async (_name, size, milliseconds) => {
  const app = fastify({ bodyLimit: size })
  limitBodies(app)
  let reading = () => {}
  const isRead = new Promise<void>((resolve) => {
    reading = resolve
  })
  app.addHook('preParsing', async () => reading())
  app.post('/', async () => 'done')
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  const received = text(socket)
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${String(size)}\r\n\r\nx`,
  )
  await isRead

  vi.advanceTimersByTime(milliseconds - 1)
  expect(socket.readable).toBe(true)
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  vi.advanceTimersByTime(100)
  expect(await received).toMatch(/^HTTP\/1\.1 408 /)

  // Nothing remains of a body that has arrived.
  const before = vi.getTimerCount()
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'text/plain' },
    payload: 'x',
  })
  expect(response.body).toBe('done')
  expect(vi.getTimerCount()).toBe(before)
  await app.close()
})
