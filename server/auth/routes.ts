import type { FastifyInstance } from 'fastify'
import type { Gauge, Services } from '../services.ts'
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
 * /auth/v1. Refusals are thrown as `ApiError`. Adds to `gauges` what shows how busy it is.
 */
export async function registerAuthRoutes(
  app: FastifyInstance,
  services: Services,
  gauges: Gauge[],
): Promise<void> {
  const auth = await createAuthServices(services)
  gauges.push({
    name: 'intercede_password_queue_length',
    help: 'Sign-ins and sign-ups that wait for a processor to work on their password.',
    read: () => auth.passwords.waiting(),
  })
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
