import type { FastifyInstance } from 'fastify'

/** Asked by machines every few seconds for years. */
const ASKED_BY_MACHINES: ReadonlySet<string | undefined> = new Set(['/health', '/ready', '/metrics'])

/**
 * One line per finished request: the route as declared, never the address as sent, because addresses carry
 * one-time tokens and filters carry ids. Those of machines that watch over the server are told to the level `debug`.
 */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const level = ASKED_BY_MACHINES.has(request.routeOptions.url) ? 'debug' : 'info'
    request.log[level](
      {
        requestId: request.id,
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
