import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import type { Services } from '../services.ts'
import { createAuthServices } from './auth-services.ts'
import { registerAuthorize } from './authorize.ts'
import { registerCallback } from './callback.ts'
import { registerCleanUp } from './clean-up.ts'
import { registerGetUser } from './get-user.ts'
import { registerHealth } from './health.ts'
import { registerJwks } from './jwks.ts'
import { registerLogout } from './logout.ts'
import { registerRecover } from './recover.ts'
import { registerBodyParsers } from './request-body.ts'
import { registerResend } from './resend.ts'
import { registerSettings } from './settings.ts'
import { registerSignUp } from './sign-up.ts'
import { registerToken } from './token.ts'
import { registerUpdateUser } from './update-user.ts'
import { registerVerify } from './verify.ts'

/**
 * Adds the auth protocol (GoTrue's, as far as the product calls it) to a scope that is already prefixed with
 * /auth/v1. Errors are thrown as `ApiError`.
 */
export async function registerAuthRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const auth = await createAuthServices(services)
  services.metrics.registerMetric(
    new Gauge({
      name: 'intercede_password_queue_length',
      help: 'Sign-ins and sign-ups whose password waits to be hashed or verified.',
      registers: [],
      collect() {
        this.set(auth.passwords.waiting())
      },
    }),
  )
  registerBodyParsers(app)
  registerSignUp(app, auth)
  registerToken(app, auth)
  registerLogout(app, auth)
  registerGetUser(app, auth)
  registerUpdateUser(app, auth)
  registerRecover(app, auth)
  registerResend(app, auth)
  registerVerify(app, auth)
  registerAuthorize(app, auth)
  registerCallback(app, auth)
  registerSettings(app, auth)
  registerHealth(app)
  registerJwks(app)
  registerCleanUp(app, auth)
}
