import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EndedEarly } from '../errors/ended-early.ts'
import { limitBodies } from './body-limits.ts'
import { limitConnections, RESERVED_FILES } from './connection-limits.ts'
import { createHttpServer } from './connections.ts'
import { LOG_CONTROLLER, registerRequestLog } from './request-log.ts'

const GET = 'GET /slow?token=secret HTTP/1.1\r\nHost: x\r\n\r\n'

let app: FastifyInstance
let url: URL
let lines: string[]
/** Emits `begun` with the response when a request has begun, and `line` for each line of the log; a handler waits for `respond`. */
let events: EventEmitter

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  lines = []
  events = new EventEmitter()
  const stream = new Writable({
    write: (line: Buffer, _encoding, done) => {
      lines.push(line.toString())
      events.emit('line')
      done()
    },
  })
  app = fastify({
    logger: { level: 'info', stream },
    logController: LOG_CONTROLLER,
    serverFactory: createHttpServer,
  })
  // Two connections in all, of which one network has one.
  limitConnections(app, { maxOpenFiles: RESERVED_FILES + 2, trustProxy: false })
  limitBodies(app)
  registerRequestLog(app)
  app.addHook('preParsing', async (_request, reply) => {
    events.emit('begun', reply.raw)
  })
  app.get('/slow', async () => {
    await once(events, 'respond')
    return 'done'
  })
  app.post('/slow', async () => 'never reached')
  app.get('/unread', async (_request, reply) => {
    reply.raw.write('the beginning')
    return reply.hijack()
  })
  url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  lines = []
})

afterEach(async () => {
  events.emit('respond')
  vi.useRealTimers()
  app.server.closeAllConnections()
  await app.close()
})

interface Requested {
  client: Socket
  atServer: Socket
  response: ServerResponse
}

async function send(request: string): Promise<Requested> {
  const accepted: Promise<Socket[]> = once(app.server, 'connection')
  const begun: Promise<ServerResponse[]> = once(events, 'begun')
  const client = connect(Number(url.port), url.hostname)
  client.on('error', () => client.destroy())
  client.write(request)
  const [atServer] = await accepted
  const [response] = await begun
  if (atServer === undefined || response === undefined) throw new Error('There is no request.')
  return { client, atServer, response }
}

async function begin(request: string): Promise<Requested> {
  const requested = await send(request)
  // The handler has been called by then.
  await new Promise(setImmediate)
  return requested
}

const POST = 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'

it.each<[reason: string, level: number, request: string, end: (requested: Requested) => unknown]>([
  ['the client or proxy disconnected', 30, GET, ({ client }) => client.destroy()],
  ['the request did not arrive in time', 40, POST, () => vi.advanceTimersByTime(20_100)],
  [
    'the response was not read in time',
    40,
    'GET /unread HTTP/1.1\r\nHost: x\r\n\r\n',
    ({ atServer }) => atServer.emit('timeout'),
  ],
  [
    'a limit of the route',
    40,
    GET,
    ({ response }) => response.destroy(new EndedEarly('a limit of the route')),
  ],
  ['too many connections of its network', 30, GET, () => connect(Number(url.port), url.hostname)],
])('a request that ends early leaves a line: %s', async (reason, level, request, end) => {
  const requested = await begin(request)
  const logged = once(events, 'line')
  end(requested)
  await logged
  const [method, route] = request.split(/[ ?]/)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level,
    method,
    route,
    reason,
    msg: 'request ended early',
  })
  requested.client.destroy()
})

it('the server may work on a request for longer than a connection may be silent', async () => {
  const { client, atServer } = await begin(GET)
  atServer.emit('timeout')
  const received = once(client, 'data')
  events.emit('respond')
  expect(String(await received)).toMatch(/^HTTP\/1\.1 200 /)
  // From then on it is idle.
  atServer.emit('timeout')
  await once(client, 'close')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'request', status: 200 })
})
