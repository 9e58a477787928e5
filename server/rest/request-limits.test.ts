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
  response.on('error', () => {})
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
  expect(response.errored).toMatchObject({ name: 'EndedEarly', message: 'the response was not read in time' })
})

it('lets go of a response that has been read', async () => {
  const response = new Writable({ write: (_chunk, _encoding, done) => done() })
  limitReadingTime(response, MIB)
  await new Promise((read) => response.end('x', () => read(null)))
  expect(vi.getTimerCount()).toBe(0)
})

/** Requests like `a1`, `a2` and `b1`: the letter is the account, and all are of one network. */
async function startApp() {
  const app = fastify({ forceCloseConnections: true })
  const limits = createRequestLimits()
  const work = new EventEmitter()
  const began: string[] = []
  const ended: string[] = []
  const disconnected: string[] = []
  app.get<{ Params: { name: string } }>('/:name', async (request, reply) => {
    const { name } = request.params
    request.accountId = name.charAt(0)
    reply.raw.once('close', () => disconnected.push(name))
    work.emit('requested')
    try {
      return await limits.run(request, reply, async () => {
        began.push(name)
        await once(work, name)
        return name
      })
    } finally {
      ended.push(name)
    }
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const requests = new Map<string, AbortController>()
  /** Null if there was no response. */
  const statuses = new Map<string, Promise<number | null>>()
  return {
    began,
    ended,
    disconnected,
    request: async (name: string) => {
      const requested = once(work, 'requested')
      const controller = new AbortController()
      requests.set(name, controller)
      const response = fetch(`${url}/${name}`, { signal: controller.signal })
      statuses.set(
        name,
        response.then(
          ({ status }) => status,
          () => null,
        ),
      )
      await requested
    },
    statusOf: (name: string) => statuses.get(name),
    disconnect: (name: string) => requests.get(name)?.abort(),
    finish: (name: string) => work.emit(name),
    close: () => app.close(),
  }
}

it('a request stops waiting as soon as its client disconnects', async () => {
  const { began, ended, disconnected, request, disconnect, finish, close } = await startApp()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) await request(name)
  disconnect('a4')
  await expect.poll(() => ended).toEqual(['a4'])

  // A request in progress keeps its place until its work is done.
  disconnect('a1')
  await expect.poll(() => disconnected).toContain('a1')
  expect(began).toEqual(['a1', 'a2', 'a3'])
  finish('a1')
  await expect.poll(() => began).toEqual(['a1', 'a2', 'a3', 'a5'])
  await close()
})

it('a request that has waited for a minute gets 503, and leaves its place to others', async () => {
  const { began, request, statusOf, finish, close } = await startApp()
  for (const name of ['a1', 'a2', 'a3', 'a4']) await request(name)
  vi.advanceTimersByTime(60_000)
  expect(await statusOf('a4')).toBe(503)
  await request('a5')
  finish('a1')
  await expect.poll(() => began).toEqual(['a1', 'a2', 'a3', 'a5'])
  expect(await statusOf('a1')).toBe(200)
  // One that has begun has no such limit.
  vi.advanceTimersByTime(60_000)
  finish('a5')
  expect(await statusOf('a5')).toBe(200)
  await close()
})

it('requests of an account begin in the order in which they came', async () => {
  const { began, request, finish, close } = await startApp()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) await request(name)
  for (const name of ['a2', 'a4', 'a1']) {
    const begun = began.length
    finish(name)
    await expect.poll(() => began.length).toBe(begun + 1)
  }
  expect(began).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6'])
  await close()
})

it('a request that disconnects while others of its network have their turn gives up the place of its account', async () => {
  const { began, ended, request, disconnect, finish, close } = await startApp()
  for (const name of ['a1', 'b1', 'c1', 'd1', 'e1', 'e2', 'e3', 'e4', 'f1']) await request(name)
  for (const name of ['e1', 'e2', 'e3']) disconnect(name)
  await expect.poll(() => ended.toSorted()).toEqual(['e1', 'e2', 'e3'])
  // The fourth one has waited for its account only, and now comes after that of the other account.
  finish('a1')
  await expect.poll(() => began).toEqual(['a1', 'b1', 'c1', 'd1', 'f1'])
  finish('b1')
  await expect.poll(() => began).toEqual(['a1', 'b1', 'c1', 'd1', 'f1', 'e4'])
  await close()
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
