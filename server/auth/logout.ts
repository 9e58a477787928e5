import type { FastifyInstance } from 'fastify'
import type { QueryConfig } from 'pg'
import { validationFailed } from '../errors/api-error.ts'
import { authorize, changeAccount, SESSION_ONLY } from './account-change.ts'
import type { AuthServices } from './auth-services.ts'
import { requireBearer, type Bearer } from './bearer.ts'

type Scope = 'global' | 'local' | 'others'

/** Refresh tokens are deleted with their session (foreign key). */
const END_ALL = `delete from auth.sessions where user_id = $1 and coalesce(aal, 'aal1') <= $2`
const END_ONE = `delete from auth.sessions where user_id = $1 and id = $2 and coalesce(aal, 'aal1') <= $3`
const END_OTHERS = `delete from auth.sessions where user_id = $1 and id is distinct from $2 and coalesce(aal, 'aal1') <= $3`

/**
 * POST /logout?scope=global|local|others. supabase/auth internal/api/logout.go. Unlike there, a token without a second factor does not
 * end sessions in which one was given: somebody with a stolen password, or a token from before the code, signs nobody out.
 */
export function registerLogout(app: FastifyInstance, services: AuthServices): void {
  app.post<{ Querystring: { scope?: string | string[] } }>('/logout', async (request, reply) => {
    const scope = parseScope(request.query.scope)
    const bearer = await requireBearer(request, services)
    const change = await authorize(request, services, bearer, () => SESSION_ONLY)
    await changeAccount(services, change, async (transaction, caller) =>
      transaction.query(deleteSessions(scope, caller)),
    )
    return reply.code(204).send()
  })
}

function parseScope(given: string | string[] | undefined): Scope {
  const scope = (Array.isArray(given) ? given[0] : given) ?? ''
  if (scope === '') return 'global'
  if (scope === 'global' || scope === 'local' || scope === 'others') return scope
  throw validationFailed(`Unsupported logout scope ${JSON.stringify(scope)}`)
}

/** A token without a session can only end all sessions. */
function deleteSessions(scope: Scope, { account, sessionId, aal }: Bearer): QueryConfig {
  if (scope === 'global' || sessionId === null) {
    return { name: 'auth:end-all', text: END_ALL, values: [account.id, aal] }
  }
  return scope === 'local'
    ? { name: 'auth:end-one', text: END_ONE, values: [account.id, sessionId, aal] }
    : { name: 'auth:end-others', text: END_OTHERS, values: [account.id, sessionId, aal] }
}
