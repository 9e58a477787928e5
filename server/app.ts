import { fastify, type FastifyInstance } from 'fastify'
import { registerAvatars } from './auth/avatars.ts'
import { registerAuthRoutes } from './auth/routes.ts'
import { isServiceKey } from './auth/service-key.ts'
import { createErrorRenderer } from './errors/render-error.ts'
import { registerApiGateway, registerUnsupportedServices } from './http/api-gateway.ts'
import { BODY_LIMIT, limitBodies } from './http/body-limits.ts'
import { limitConnections, readMaxOpenFiles } from './http/connection-limits.ts'
import {
  closeUnusedConnections,
  createHttpServer,
  createMalformedRequestHandler,
  handleInvalidUrl,
  limitClosingTime,
} from './http/connections.ts'
import { registerHealthRoutes } from './http/health.ts'
import { registerMetrics } from './http/metrics.ts'
import { createRequestIdGenerator, LOG_CONTROLLER, registerRequestLog } from './http/request-log.ts'
import { addApiSecurityHeaders } from './http/security-headers.ts'
import { registerSecurityTxt } from './http/security-txt.ts'
import { registerWebApp } from './http/web-app.ts'
import { registerReminderRoutes } from './reminders/routes.ts'
import { registerRestRoutes } from './rest/routes.ts'
import type { Services } from './services.ts'

/** The name that the web app uses for X; the server accepts both names of the provider. */
const X_PROVIDER = 'twitter'

/**
 * Builds the application that handles requests. It opens no port: call `listen` on it, or `inject`.
 * `webRoot` is the folder of the built web app; null serves only the API.
 */
export async function buildApp(services: Services, webRoot: string | null): Promise<FastifyInstance> {
  const { config, keys, pool } = services
  const https = config.siteUrl.startsWith('https:')
  const app = createFastify(services)
  closeUnusedConnections(app)
  limitClosingTime(app)
  limitConnections(app, { maxOpenFiles: readMaxOpenFiles(), trustProxy: config.trustProxy })
  limitBodies(app)
  registerRequestLog(app)
  registerMetrics(app, services)
  registerHealthRoutes(app, services.pool)
  await app.register(
    async (scope) => {
      const acceptsKey = (key: string) => isServiceKey(pool, key)
      await registerApiGateway(scope, { api: 'auth', anonKey: keys.anonKey, acceptsKey, https })
      registerAuthRoutes(scope, services)
    },
    { prefix: '/auth/v1' },
  )
  await app.register(
    async (scope) => {
      await registerApiGateway(scope, { api: 'rest', anonKey: keys.anonKey, https })
      await registerRestRoutes(scope, services)
    },
    { prefix: '/rest/v1' },
  )
  await app.register(
    async (scope) => {
      await registerApiGateway(scope, { api: 'auth', anonKey: keys.anonKey, https })
      registerReminderRoutes(scope, services)
    },
    { prefix: '/reminders/v1' },
  )
  await registerUnsupportedServices(app, https)
  await app.register(
    async (scope) => {
      addApiSecurityHeaders(scope, https)
      scope.setErrorHandler(createErrorRenderer('auth'))
      registerAvatars(scope, services)
    },
    { prefix: '/pictures' },
  )
  await app.register(async (scope) => {
    addApiSecurityHeaders(scope, https)
    registerSecurityTxt(scope, services)
  })
  if (webRoot !== null) {
    await app.register(async (scope) =>
      registerWebApp(scope, {
        root: webRoot,
        https,
        page: {
          url: '',
          anonKey: keys.anonKey,
          siteUrl: config.siteUrl,
          productName: config.productName,
          xProvider: X_PROVIDER,
          xEnabled: config.x !== null,
          isSignUpClosed: config.disableSignup,
        },
      }),
    )
  }
  return app
}

function createFastify({ config, logger }: Services): FastifyInstance {
  return fastify({
    bodyLimit: BODY_LIMIT,
    clientErrorHandler: createMalformedRequestHandler(logger),
    forceCloseConnections: 'idle',
    frameworkErrors: handleInvalidUrl,
    genReqId: createRequestIdGenerator(config.trustProxy !== false),
    logController: LOG_CONTROLLER,
    loggerInstance: logger,
    serverFactory: createHttpServer,
    trustProxy: trustedProxies(config.trustProxy),
  })
}

/** A number is the number of proxies in front of this server: that many hops are trusted, and none beyond. */
function trustedProxies(setting: Services['config']['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}
