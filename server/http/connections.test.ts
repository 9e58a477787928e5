import dns from 'node:dns'
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fastify } from 'fastify'
import { createErrorRenderer } from '../errors/render-error.ts'
import { afterEach, expect, it, vi } from 'vitest'
import { closeUnusedConnections, createHttpServer, limitClosingTime } from './connections.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('listens on one address of a host that has several, because a second server would have no limits', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2']
  // Fastify asks for all addresses of the host, Node.js for one of the host or address that a server is to listen on.
  vi.spyOn(dns, 'lookup').mockImplementation((name: string, ...[options, callback]: unknown[]) => {
    const one = name === 'localhost' ? addresses[0] : name
    const all = addresses.map((address) => ({ address, family: 4 }))
    if (typeof options === 'function') Reflect.apply(options, null, [null, one, 4])
    else if (typeof callback === 'function') Reflect.apply(callback, null, [null, all])
  })
  const app = fastify({ serverFactory: createHttpServer })
  await app.listen({ port: 0, host: 'localhost' })
  expect(app.addresses()).toEqual([expect.objectContaining({ address: '127.0.0.1' })])
  await app.close()
})

it('closes connections that carried no request, and lets responses in progress finish', async () => {
  const app = fastify({ forceCloseConnections: 'idle' })
  closeUnusedConnections(app)
  const handler = new EventEmitter()
  app.get('/', async () => {
    handler.emit('requested')
    await once(handler, 'respond')
    return 'finished'
  })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const unused = connect(Number(url.port), url.hostname).resume()
  await once(unused, 'connect')
  const requested = once(handler, 'requested')
  const response = fetch(url)
  await requested

  const closed = app.close()
  await once(unused, 'close')
  handler.emit('respond')
  await expect(response.then((received) => received.text())).resolves.toBe('finished')
  await closed
  expect(app.server.listening).toBe(false)
})

it('answers what has not finished 30 seconds after it began to close with 503, and logs no URL', async () => {
  let log = ''
  const stream = new Writable({
    write: (line: Buffer, _encoding, done) => {
      log += line.toString()
      done()
    },
  })
  const app = fastify({ forceCloseConnections: 'idle', logger: { level: 'warn', stream } })
  closeUnusedConnections(app)
  limitClosingTime(app)
  const handler = new EventEmitter()
  app.addHook('preClose', async () => {
    handler.emit('closing')
  })
  app.setErrorHandler(createErrorRenderer('rest'))
  const begun: string[] = []
  app.get('/slow', async (_request, reply) => {
    begun.push('slow')
    await once(handler, 'respond')
    handler.emit('finished')
    return reply.send('late')
  })
  app.get('/unread', async (_request, reply) => {
    begun.push('unread')
    reply.raw.write('the beginning')
    return reply.hijack()
  })
  app.post('/body', async () => 'never reached')
  app.addHook('preParsing', async ({ url }) => {
    if (url === '/body') begun.push('body')
  })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const send = async (request: string) => {
    const socket = connect(Number(url.port), url.hostname)
    await once(socket, 'connect')
    socket.write(`${request}\r\n\r\n`)
    return text(socket)
  }
  const responses = [
    'GET /slow?token=secret HTTP/1.1\r\nHost: x',
    'POST /body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9',
    'GET /unread HTTP/1.1\r\nHost: x',
  ].map(send)
  await expect.poll(() => begun.length).toBe(3)

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const closing = once(handler, 'closing')
  const closed = app.close()
  await closing
  vi.advanceTimersByTime(29_999)
  expect(log).toBe('')

  vi.advanceTimersByTime(1)
  const [slow, body, unread] = responses
  for (const response of [slow, body]) {
    expect(await response).toMatch(/^HTTP\/1\.1 503 /)
    expect(await response).toMatch(/^connection: close\r$/im)
    expect(await response).toMatch(/^retry-after: 2\r$/im)
    expect(await response).toContain('"code":"stopping"')
  }
  const finished = once(handler, 'finished')
  handler.emit('respond')
  await finished
  await new Promise(setImmediate)
  expect(log).not.toContain('secret')

  // A response that has begun can only be cut off.
  vi.advanceTimersByTime(1_000)
  expect(await unread).toContain('the beginning')
  await closed
})
