import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'

type ClientErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>

/** Codes of Node.js and what they are to the client; all else is no HTTP. */
const STATUS_BY_CODE: ReadonlyMap<string, number> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
])

/**
 * Answers what is no HTTP request, or took too long to become one, and ends the connection: where such a request ends
 * and the next begins is anybody's guess. Only the code is logged, because the error carries the request as it was sent.
 */
export function unreadableRequestAnswer(logger: FastifyBaseLogger): ClientErrorHandler {
  return ({ code }, socket: Socket) => {
    if (code === 'ECONNRESET' || socket.destroyed) return
    const status = STATUS_BY_CODE.get(code) ?? 400
    logger.debug({ code, status }, 'a request that can not be read')
    if (socket.writable) socket.write(lastAnswer(status))
    socket.destroySoon()
  }
}

/** Answers an address that can not be decoded, or has too long a part, without repeating it. */
export function answerBadAddress(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  void reply
    .code(error.statusCode ?? 400)
    .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .send({ code: 'bad_request', message: 'The address of the request can not be read' })
}

function lastAnswer(status: number): string {
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
