import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import { stopping } from '../errors/api-error.ts'
import { EndedEarly } from '../errors/ended-early.ts'
import { limitPipelining } from './pipelining.ts'

type ClientErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>

/**
 * Server options that limit, in milliseconds, how long a client may take. Without them, a client that sends a byte now
 * and then, or requests much and never reads the response, would hold its connection for ever.
 */
export const CLIENT_TIMEOUTS = {
  /** From the first byte of a request to its last. */
  requestTimeout: 60_000,
  /** From the first byte of a request, or from the opening of the connection, to the end of the headers. */
  headersTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  /** From a response to the next request. */
  keepAliveTimeout: 72_000,
} as const
/** Without progress in sending a response. */
const CONNECTION_TIMEOUT = 60_000

/** Header lines of a request. Reading thousands of short ones would take a hundred times as long as reading the usual ones. */
const MAX_HEADERS = 100

/**
 * The app's HTTP server, for the option `serverFactory` of Fastify, which then listens on one address of `localhost` only: the
 * limits would not apply to a second server.
 */
export function createHttpServer(listener: RequestListener): Server {
  // Node.js would respond to these requests by itself, and `limitPipelining` could not count them.
  const server = createServer({ ...CLIENT_TIMEOUTS, requireHostHeader: false })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  const latest = new WeakMap<Socket, ServerResponse>()
  server.setTimeout(CONNECTION_TIMEOUT)
  server.on('timeout', (socket: Socket) => {
    // Nothing is sent while the server works on a request: that has limits of its own, such as those in rest/request-limits.ts.
    if (latest.get(socket)?.headersSent === false) return
    socket.destroy(new EndedEarly('the response was not read in time'))
  })
  // Node.js ignores what is above this limit.
  server.maxHeadersCount = MAX_HEADERS + 1
  limitPipelining(server, (request, response) => {
    latest.set(request.socket, response)
    const status = rejectedStatus(request)
    if (status === null) listener(request, response)
    else response.writeHead(status, { connection: 'close' }).end()
  })
  return server
}

/** The status for a request with too many headers, without the host that HTTP/1.1 requires, or with an unknown expectation. */
function rejectedStatus({ httpVersion, rawHeaders, headers }: IncomingMessage): 400 | 417 | 431 | null {
  const { host, expect } = headers
  // Names and values.
  if (rawHeaders.length > 2 * MAX_HEADERS) return 431
  if (httpVersion !== '1.1') return null
  if (host === undefined) return 400
  return expect === undefined || /\b100-continue\b/i.test(expect) ? null : 417
}

/**
 * Lets the server close while browsers still hold connections open. Node.js treats a connection that has carried no
 * request yet as busy, and doesn't check again for one whose last response is sent after closing has begun. Connections
 * of the first kind are closed as soon as the server begins to close, those of the second kind after their response.
 */
export function closeUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }) => unused.delete(socket))
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1
    for (const socket of unused) socket.destroy()
  })
}

/** Milliseconds that requests in progress have to finish when the server closes. */
const CLOSING_TIME = 30_000
/** Milliseconds to send 503 to those that have not finished then. */
const SENDING_TIME = 1_000

/** Limits the time for requests in progress when the server closes: what has not finished then is answered with 503. */
export function limitClosingTime(app: FastifyInstance): void {
  const unfinished = new Set<FastifyReply>()
  app.addHook('onRequest', async (_request, reply) => {
    unfinished.add(reply)
    reply.raw.once('close', () => unfinished.delete(reply))
  })
  let timer: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    timer = setTimeout(() => {
      for (const reply of unfinished) sendStopping(reply)
      timer = setTimeout(() => {
        for (const { raw } of unfinished) raw.destroy(new EndedEarly('the server stopped'))
        app.server.closeAllConnections()
      }, SENDING_TIME)
    }, CLOSING_TIME)
  })
  app.addHook('onClose', async () => clearTimeout(timer))
}

function sendStopping(reply: FastifyReply): void {
  if (reply.sent || reply.raw.headersSent) return
  reply.send(stopping())
  // When its handler finishes after all, Fastify would log the URL, which may carry a token.
  reply.log.level = 'silent'
}

/** Statuses for errors of Node.js's HTTP parser; any other error is 400. */
const STATUS_BY_CODE: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
])

/**
 * Responds to bytes that are not an HTTP request, or took too long to become one, and closes the connection, because
 * it is unknown where the next request would begin. Only the code is logged: the error object carries the request.
 */
export function createMalformedRequestHandler(logger: FastifyBaseLogger): ClientErrorHandler {
  return ({ code }, socket: Socket) => {
    if (code === 'ECONNRESET' || socket.destroyed) return
    const status = STATUS_BY_CODE.get(code) ?? 400
    logger.debug({ code, status }, 'malformed request')
    closeWithError(socket, status, status === 408 ? TOO_SLOW : new EndedEarly('malformed request', 'info'))
  }
}

/** The reason for status 408. */
export const TOO_SLOW = new EndedEarly('the request did not arrive in time')

/** Closes a connection whose request can't be read to its end, after a response with this status. */
export function closeWithError(socket: Socket, status: number, reason: EndedEarly): void {
  if (socket.writable) socket.write(rawErrorResponse(status))
  socket.end(() => socket.destroy(reason))
}

function rawErrorResponse(status: number): string {
  const reason = STATUS_CODES[status] ?? ''
  const body = JSON.stringify({ code: 'bad_request', message: reason })
  return [
    `HTTP/1.1 ${String(status)} ${reason}`,
    'Connection: close',
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    '',
    body,
  ].join('\r\n')
}

/** Responds to a URL that can't be decoded, or has a path segment that is too long, without repeating it. */
export function handleInvalidUrl(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(error.statusCode ?? 400)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send({ code: 'bad_request', message: 'The URL of the request is invalid' })
}
