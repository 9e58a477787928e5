import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { limitConnections, RESERVED_FILES, type ConnectionLimitOptions } from './connection-limits.ts'

/** Connections in all; two of a network. */
const TOTAL = 4

let app: FastifyInstance
let url: URL
let opened: Socket[]
/** Emits `requested` for each request; the responses wait for `respond`. */
let handler: EventEmitter

afterEach(async () => {
  handler.emit('respond')
  for (const socket of opened) socket.destroy()
  await app.close()
})

async function start(trustProxy: ConnectionLimitOptions['trustProxy']): Promise<() => Promise<Socket>> {
  app = fastify({ forceCloseConnections: true })
  opened = []
  handler = new EventEmitter()
  limitConnections(app, { maxOpenFiles: RESERVED_FILES + TOTAL, trustProxy })
  app.get('/', async () => {
    handler.emit('requested')
    await once(handler, 'respond')
    return 'response'
  })
  url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  return async () => {
    const accepted = once(app.server, 'connection')
    const socket = connect(Number(url.port), url.hostname).resume()
    opened.push(socket)
    await Promise.all([accepted, once(socket, 'connect')])
    return socket
  }
}

async function request(socket: Socket): Promise<void> {
  const requested = once(handler, 'requested')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await requested
}

/** Waits until the connection is closed, and checks that the others are open. */
async function expectOnlyClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
  expect(opened.filter(({ readyState }) => readyState !== 'open')).toEqual([socket])
}

describe('at its limit, a network’s new connection', () => {
  it('replaces the one that has been idle longest', async () => {
    const open = await start(false)
    const first = await open()
    await open()
    await open()
    await expectOnlyClosed(first)
  })

  it('replaces an idle one before one with a request in progress', async () => {
    const open = await start(false)
    await request(await open())
    const idle = await open()
    await open()
    await expectOnlyClosed(idle)
  })

  it('replaces the one that has been busy longest if none is idle', async () => {
    const open = await start(false)
    const slowest = await open()
    await request(slowest)
    await request(await open())
    const last = await open()
    await expectOnlyClosed(slowest)
    await request(last)
  })

  it('replaces one whose request is complete before a newer one', async () => {
    const open = await start(false)
    const used = await open()
    await request(used)
    handler.emit('respond')
    await once(used, 'data')
    const newer = await open()
    await request(newer)
    await open()
    await expectOnlyClosed(used)
  })
})

it.each([true, 1, 'loopback', '10.0.0.0/8,127.0.0.1', '::1, 127.0.0.0/8'])(
  'does not limit a proxy: TRUST_PROXY=%s',
  async (trustProxy) => {
    const open = await start(trustProxy)
    for (let count = 1; count < TOTAL; count += 1) await open()
    await request(await open())
    expect(opened.every(({ readyState }) => readyState === 'open')).toBe(true)
  },
)

it('closes connections for which no files are left, even of a proxy, and keeps the others', async () => {
  const open = await start(true)
  for (let count = 0; count < TOTAL; count += 1) await open()
  const dropped = once(app.server, 'drop')
  const further = connect(Number(url.port), url.hostname).resume()
  opened.push(further)
  await dropped
  await expectOnlyClosed(further)
})

it.each(['10.0.0.0/8', 'linklocal,uniquelocal', '2001:db8::1'])(
  'limits a client that is not a proxy: TRUST_PROXY=%s',
  async (trustProxy) => {
    const open = await start(trustProxy)
    const first = await open()
    await open()
    await open()
    await expectOnlyClosed(first)
  },
)
