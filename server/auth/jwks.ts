import type { FastifyInstance } from 'fastify'

/** GET /.well-known/jwks.json. Tokens are signed with a shared secret, and those are never listed (GoTrue jwks.go). */
export function registerJwks(app: FastifyInstance): void {
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=600')
    return { keys: [] }
  })
}
