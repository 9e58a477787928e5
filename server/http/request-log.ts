import type { FastifyInstance } from 'fastify'

/**
 * One line per finished request: the route as declared, never the address as sent, because addresses carry
 * one-time tokens and filters carry ids.
 */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}
