import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

const REQUEST_ID_HEADER = 'x-request-id'
/** What proxies make: UUIDs, hexadecimal numbers, and the like. Nothing that could be more than a word in a log. */
const ACCEPTED = /^[\w-]{8,64}$/

/**
 * Makes what names each request in the log. Behind a proxy it is the proxy's own name for it, so that the two logs can be
 * read together; where clients come by themselves, theirs is not taken.
 */
export function createRequestIds(behindProxy: boolean): (request: IncomingMessage) => string {
  if (!behindProxy) return () => randomUUID()
  return ({ headers }) => {
    const given = headers[REQUEST_ID_HEADER]
    return typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID()
  }
}

/** Tells each client the name of its request, for a question to whoever reads the log. */
export function answerWithRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header(REQUEST_ID_HEADER, request.id)
    done()
  })
}
