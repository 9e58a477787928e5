import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { EndedEarly } from '../errors/ended-early.ts'

const REQUEST_ID_HEADER = 'x-request-id'
/** What proxies generate: UUIDs, hexadecimal numbers and the like. Rejects anything that could forge a log line. */
const ACCEPTED_ID = /^[\w-]{8,64}$/
/** Requested by monitoring every few seconds. */
const MONITORING_ROUTES: ReadonlySet<string | undefined> = new Set(['/health', '/ready', '/metrics'])

/** Adds `requestId` to what is logged for a request. Fastify's own request lines are off: they contain the URL. */
export const LOG_CONTROLLER = new LogController({
  disableRequestLogging: true,
  requestIdLogLabel: 'requestId',
})

/**
 * Returns the function that gives each request its id. Behind a proxy, the proxy's id is used, so that both logs can be
 * matched; clients that connect directly can't choose theirs.
 */
export function createRequestIdGenerator(behindProxy: boolean): (request: IncomingMessage) => string {
  if (!behindProxy) return () => randomUUID()
  return ({ headers }) => {
    const given = headers[REQUEST_ID_HEADER]
    return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : randomUUID()
  }
}

/**
 * Sends each request's id with its response, and logs one line when it is finished, or when its connection is closed before.
 * The line has the route as declared, never the URL: URLs carry one-time tokens, and ids in filters.
 */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.header(REQUEST_ID_HEADER, request.id)
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) logEndedEarly(request, reply)
    })
  })
  app.addHook('onResponse', async (request, reply) => {
    const level = MONITORING_ROUTES.has(request.routeOptions.url) ? 'debug' : 'info'
    request.log[level]({ ...requestFields(request, reply), status: reply.statusCode }, 'request')
  })
}

/** What was asked for may have been done all the same. */
function logEndedEarly(request: FastifyRequest, reply: FastifyReply): void {
  const { errored } = request.socket
  const isByServer = errored instanceof EndedEarly
  const reason = isByServer ? errored.message : 'the client or proxy disconnected'
  const level = isByServer ? errored.level : 'info'
  request.log[level]({ ...requestFields(request, reply), reason }, 'request ended early')
}

function requestFields({ method, routeOptions }: FastifyRequest, { elapsedTime }: FastifyReply) {
  return {
    method,
    route: routeOptions.url ?? null,
    milliseconds: Math.round(elapsedTime * 10) / 10,
  }
}
