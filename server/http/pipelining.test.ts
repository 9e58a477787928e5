import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createHttpServer } from './connections.ts'
import { limitPipelining, PENDING_PER_CONNECTION } from './pipelining.ts'

/** Bytes that one read of Node.js returns at most. */
const READ = 64 * 1024
/** The shortest request that is accepted. */
const SMALL = 'GET / HTTP/1.1\r\nHost:\r\n\r\n'
/** Requests to which Node.js would respond by itself. */
const WITHOUT_HOST = 'GET / HTTP/1.1\r\n\r\n'
const UNKNOWN_EXPECTATION = 'GET / HTTP/1.1\r\nHost:\r\nExpect: x\r\n\r\n'
const SLOW = SMALL.replace('/', '/slow')
const LAST = SMALL.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
const IN_ONE_READ = Math.ceil(READ / WITHOUT_HOST.length)

let app: FastifyInstance
let opened: Socket[]
/** Requests that Node.js has handed over and that have no response yet. */
let pending: number
/** Requests that a handler was called for. */
let handled: number
/** Emits `respond` to let the slow responses be sent. */
let handler: EventEmitter

beforeEach(() => {
  opened = []
  pending = 0
  handled = 0
  handler = new EventEmitter()
})

/** An app whose server is made like this. */
function prepareApp(serverFactory: (listener: RequestListener) => Server): void {
  app = fastify({ forceCloseConnections: true, serverFactory })
  app.server.on('request', (_request, response) => {
    pending += 1
    response.once('finish', () => {
      pending -= 1
    })
  })
  app.addHook('preHandler', async () => {
    handled += 1
  })
  app.get('/slow', async () => {
    await once(handler, 'respond')
    return 'slow'
  })
  app.get('/', async () => 'fast')
  app.post('/', async () => 'posted')
}

afterEach(async () => {
  handler.emit('respond')
  for (const socket of opened) socket.destroy()
  await app.close()
})

/** A connection as both sides see it. */
async function open(): Promise<{ client: Socket; server: Socket; received: Promise<string> }> {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const accepted: Promise<Socket[]> = once(app.server, 'connection')
  const client = connect(address.port, '127.0.0.1')
  opened.push(client)
  // The server may close the connection while requests are being sent.
  client.on('error', () => client.destroy())
  const received = text(client).catch(() => '')
  const [server] = await accepted
  if (server === undefined) throw new Error('There is no connection.')
  return { client, server, received }
}

function post(length: number): string {
  return `POST / HTTP/1.1\r\nHost:\r\nContent-Type: text/plain\r\nContent-Length: ${String(length)}\r\n\r\n${'x'.repeat(length)}`
}

/** What a client may send behind a slow request: long and short requests in any order. */
const pipelines = [
  Array.from({ length: 10_000 }, () => SMALL),
  ...fc.sample(
    fc.array(fc.oneof(fc.constant(SMALL), fc.integer({ min: 0, max: 16_000 }).map(post)), {
      minLength: 200,
      maxLength: 600,
      size: 'max',
    }),
    { numRuns: 5, seed: 20_261_123 },
  ),
]

it.each(pipelines.map((sent) => [sent.length, sent] as const))(
  'behind a slow request, little of %i pipelined ones is read, and each gets a response in the end',
  async (count, sent) => {
    prepareApp(createHttpServer)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { client, server, received } = await open()
    client.write(SLOW + sent.join('') + LAST)
    await expect.poll(() => server.isPaused()).toBe(true)
    expect(pending).toBeLessThanOrEqual(PENDING_PER_CONNECTION + IN_ONE_READ)
    expect(handled).toBe(1)
    handler.emit('respond')
    const statuses = (await received).match(/HTTP\/1\.1 \d{3}/g)
    expect(statuses).toHaveLength(count + 2)
    expect(new Set(statuses)).toEqual(new Set(['HTTP/1.1 200']))
  },
)

it.each([
  ['without a host', WITHOUT_HOST, 400],
  ['with an unknown expectation', UNKNOWN_EXPECTATION, 417],
] as const)(
  'behind a slow request, little of pipelined ones %s is read, and the first closes the connection',
  async (_name, request, status) => {
    prepareApp(createHttpServer)
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { client, server, received } = await open()
    client.write(SLOW + request.repeat(10_000))
    await expect.poll(() => server.isPaused()).toBe(true)
    expect(pending).toBeGreaterThan(PENDING_PER_CONNECTION)
    expect(pending).toBeLessThanOrEqual(PENDING_PER_CONNECTION + IN_ONE_READ)
    handler.emit('respond')
    expect((await received).match(/HTTP\/1\.1 \d{3}/g)).toEqual([
      'HTTP/1.1 200',
      `HTTP/1.1 ${String(status)}`,
    ])
    expect(handled).toBe(1)
  },
)

it('a connection that exceeds the total is closed, and the others get their responses', async () => {
  const waitingInTotal = 30
  prepareApp((listener) => {
    const httpServer = createServer()
    limitPipelining(httpServer, listener, waitingInTotal)
    return httpServer
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const connections: Awaited<ReturnType<typeof open>>[] = []
  for (let count = 0; count < 5; count += 1) {
    const connection = await open()
    connection.client.write(SLOW + SMALL.repeat(PENDING_PER_CONNECTION - 1))
    connections.push(connection)
  }
  const rest = () => connections.filter(({ server }) => !server.destroyed)
  await expect.poll(() => rest().every(({ server }) => server.isPaused())).toBe(true)
  expect(rest()).toHaveLength(Math.floor(waitingInTotal / (PENDING_PER_CONNECTION - 1)))
  expect((await fetch(address)).status).toBe(200)

  handler.emit('respond')
  for (const { client, received } of rest()) {
    client.write(LAST)
    expect((await received).match(/HTTP\/1\.1 200/g)).toHaveLength(PENDING_PER_CONNECTION + 1)
  }
  // Nothing of them is counted any more.
  const { client, received } = await open()
  client.write(SMALL.repeat(waitingInTotal - 1) + LAST)
  expect((await received).match(/HTTP\/1\.1 200/g)).toHaveLength(waitingInTotal)
})

it('while a connection is being closed, nothing is read from the others', async () => {
  const waitingInTotal = 30
  /** Requests in memory, and how many there were at most. */
  let held = 0
  let mostHeld = 0
  prepareApp((listener) => {
    const httpServer = createServer({ requireHostHeader: false })
    limitPipelining(httpServer, listener, waitingInTotal)
    return httpServer
  })
  const counts = new Map<Socket, number>()
  app.server.on('request', ({ socket }) => {
    if (!counts.has(socket)) {
      socket.once('close', () => {
        held -= counts.get(socket) ?? 0
      })
    }
    counts.set(socket, (counts.get(socket) ?? 0) + 1)
    held += 1
    mostHeld = Math.max(mostHeld, held)
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const connections: Awaited<ReturnType<typeof open>>[] = []
  for (let count = 0; count < 4; count += 1) connections.push(await open())
  for (const { client } of connections) client.write(WITHOUT_HOST.repeat(IN_ONE_READ))
  await expect.poll(() => connections.every(({ server }) => server.destroyed)).toBe(true)
  expect(mostHeld).toBeLessThanOrEqual(waitingInTotal + 2 * IN_ONE_READ)
  expect((await fetch(address)).status).toBe(200)
})
