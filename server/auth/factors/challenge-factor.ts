import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { AuthServices } from '../auth-services.ts'
import { requireBearer } from '../bearer.ts'
import { countRequests } from '../rate-limits.ts'
import { factorNotFound, findFactor } from './second-factor.ts'

/** How long a challenge can be answered, in seconds (internal/conf/configuration.go ChallengeExpiryDuration). */
export const CHALLENGE_LIFETIME = 300

const STORE = `
  with factor as (
    update auth.mfa_factors set last_challenged_at = $3 where id = $1 returning id
  )
  insert into auth.mfa_challenges (id, factor_id, created_at) select $2, id, $3 from factor`

/** POST /factors/:id/challenge: prepares for a code. supabase/auth internal/api/mfa.go challengeTOTPFactor. */
export function registerChallengeFactor(app: FastifyInstance, services: AuthServices): void {
  const onRequest = countRequests(services, 'factors')
  app.post('/factors/:id/challenge', { onRequest }, async (request) => {
    const { account } = await requireBearer(request, services)
    const factor = findFactor(request, account)
    const id = randomUUID()
    const now = services.clock.now()
    const values = [factor.id, id, now]
    const { rowCount } = await services.pool.query({ name: 'auth:store-challenge', text: STORE, values })
    if (rowCount === 0) throw factorNotFound()
    const expiresAt = Math.floor(now.getTime() / 1000) + CHALLENGE_LIFETIME
    return { id, type: factor.factor_type, expires_at: expiresAt }
  })
}
