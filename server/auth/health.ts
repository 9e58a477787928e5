import type { FastifyInstance } from 'fastify'

/** The release of the real service whose answers these are. */
const VERSION = 'v2.196.0'

/** GET /health. supabase/auth internal/api/api.go HealthCheck. */
export function registerHealth(app: FastifyInstance): void {
  app.get('/health', async () => ({
    version: VERSION,
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  }))
}
