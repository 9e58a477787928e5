import type { FastifyInstance } from 'fastify'

/** In seconds. */
const KEPT = 86_400

/**
 * GET /.well-known/security.txt: where weaknesses are reported. `text` gives the file of the moment, null where nobody
 * was named: then there is none, rather than one that nobody reads.
 */
export function registerSecurityContact(scope: FastifyInstance, text: () => string | null): void {
  scope.get('/.well-known/security.txt', async (_request, reply) => {
    const found = text()
    if (found === null) return reply.code(404).send({ code: 'not_found', message: 'Not found' })
    return reply
      .header('cache-control', `public, max-age=${String(KEPT)}`)
      .type('text/plain; charset=utf-8')
      .send(found)
  })
}
