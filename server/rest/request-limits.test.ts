import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRequestLimits, limitReadingTime } from './request-limits.ts'

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

it('a request stops waiting as soon as its client disconnects', async () => {
  const app = fastify({ forceCloseConnections: true })
  const limits = createRequestLimits()
  const work = new EventEmitter()
  const began: string[] = []
  const ended: string[] = []
  const disconnected: string[] = []
  app.get<{ Params: { name: string } }>('/:name', async (request, reply) => {
    const { name } = request.params
    reply.raw.once('close', () => disconnected.push(name))
    work.emit('requested')
    try {
      return await limits.run(request, reply, async () => {
        began.push(name)
        await once(work, 'finish')
        return name
      })
    } finally {
      ended.push(name)
    }
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const requests = new Map<string, AbortController>()
  const request = async (name: string) => {
    const requested = once(work, 'requested')
    const controller = new AbortController()
    requests.set(name, controller)
    void fetch(`${url}/${name}`, { signal: controller.signal }).catch(() => null)
    await requested
  }
  for (const name of ['a', 'b', 'c', 'waiting', 'next']) await request(name)
  requests.get('waiting')?.abort()
  await expect.poll(() => ended).toEqual(['waiting'])

  // A request in progress keeps its place until its work is done.
  requests.get('a')?.abort()
  await expect.poll(() => disconnected).toContain('a')
  expect(began).toEqual(['a', 'b', 'c'])
  work.emit('finish')
  await expect.poll(() => began).toEqual(['a', 'b', 'c', 'next'])
  work.emit('finish')
  await app.close()
})

it('lets others have their turn between the requests of an account that are done at once', async () => {
  const app = fastify({ forceCloseConnections: true })
  const limits = createRequestLimits()
  /** How many requests began in each turn of the event loop. */
  const begun = [0]
  let turn = setImmediate(function next() {
    begun.push(0)
    turn = setImmediate(next)
  })
  app.get('/', async (request, reply) =>
    limits.run(request, reply, async () => {
      begun.push((begun.pop() ?? 0) + 1)
      throw new Error('rejected')
    }),
  )
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n'
  socket.write(`${`${request}\r\n`.repeat(11)}${request}Connection: close\r\n\r\n`)
  expect((await text(socket)).match(/HTTP\/1\.1 500/g)).toHaveLength(12)
  clearImmediate(turn)
  expect(begun.reduce((sum, count) => sum + count)).toBe(12)
  expect(Math.max(...begun)).toBeLessThanOrEqual(3)
  await app.close()
})
