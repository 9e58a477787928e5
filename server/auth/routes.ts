import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import type { Services } from '../services.ts'
import { registerAdmin } from './admin-api.ts'
import { createAuthServices } from './auth-services.ts'
import { registerAuthorize } from './authorize.ts'
import { registerCallback } from './callback.ts'
import { registerChallengeFactor } from './factors/challenge-factor.ts'
import { scheduleCleanUp } from './clean-up.ts'
import { registerEnrollFactor } from './factors/enroll-factor.ts'
import { registerLogout } from './logout.ts'
import { registerReauthenticate } from './reauthenticate.ts'
import { registerRecover } from './recover.ts'
import { registerRecoveryCodes } from './factors/recovery-codes.ts'
import { registerBodyParsers, rejectPkce } from './request-body.ts'
import { registerResend } from './resend.ts'
import { registerServerInfo } from './server-info.ts'
import { registerSignUp } from './sign-up.ts'
import { registerToken } from './token.ts'
import { registerUnenrollFactor } from './factors/unenroll-factor.ts'
import { registerUser } from './user.ts'
import { registerVerifyFactor } from './factors/verify-factor.ts'
import { registerVerifyRecoveryCode } from './factors/verify-recovery-code.ts'
import { registerVerify } from './verify.ts'

/**
 * Adds the auth protocol (the part of GoTrue's that the product uses) to a scope with the prefix /auth/v1. Handlers
 * throw an `ApiError` for every error that a client should see.
 */
export function registerAuthRoutes(app: FastifyInstance, services: Services): void {
  const auth = createAuthServices(services)
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
  app.addHook('preHandler', rejectPkce)
  registerSignUp(app, auth)
  registerToken(app, auth)
  registerLogout(app, auth)
  registerUser(app, auth)
  registerReauthenticate(app, auth)
  registerRecover(app, auth)
  registerResend(app, auth)
  registerVerify(app, auth)
  registerAuthorize(app, auth)
  registerCallback(app, auth)
  registerEnrollFactor(app, auth)
  registerChallengeFactor(app, auth)
  registerVerifyFactor(app, auth)
  registerUnenrollFactor(app, auth)
  registerRecoveryCodes(app, auth)
  registerVerifyRecoveryCode(app, auth)
  registerServerInfo(app, auth)
  registerAdmin(app, auth)
  scheduleCleanUp(app, auth)
  app.addHook('onClose', () => services.background.settled())
}
