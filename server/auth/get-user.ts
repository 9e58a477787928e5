import type { FastifyInstance } from 'fastify'
import { renderUser } from './accounts/user-json.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer } from './bearer.ts'

/** GET /user: the account of the bearer, as it is now. supabase/auth internal/api/user.go UserGet. */
export function registerGetUser(app: FastifyInstance, services: AuthServices): void {
  app.get('/user', async (request) => {
    const { account } = await requireBearer(request, services)
    return renderUser(account)
  })
}
