import { fastify, LogController, type FastifyInstance } from 'fastify'
import { registerPictures } from './auth/pictures/routes.ts'
import { registerAuthRoutes } from './auth/routes.ts'
import { createErrorRenderer } from './errors/render-error.ts'
import { prepareApiSurface } from './http/api-surface.ts'
import { registerHealthRoutes } from './http/health.ts'
import { registerMetrics } from './http/metrics/metrics-route.ts'
import { NO_SCHEMAS } from './http/no-schemas.ts'
import { answerWithRequestId, createRequestIds } from './http/request-id.ts'
import { registerRequestLog } from './http/request-log.ts'
import { registerSecurityContact } from './http/security-contact.ts'
import { addApiSecurityHeaders } from './http/security-headers.ts'
import { SLOW_CLIENT_LIMITS } from './http/slow-clients.ts'
import { answerBadAddress, unreadableRequestAnswer } from './http/unreadable-requests.ts'
import { closeUnusedConnections } from './http/unused-connections.ts'
import { registerWebApp } from './http/web-app.ts'
import { registerRestRoutes } from './rest/routes.ts'
import type { Gauge, Services } from './services.ts'
import { securityText } from '#shared/security-text.ts'

const ONE_MEBIBYTE = 1024 * 1024
/** The name the web app asks for; both names of the provider are answered. */
const X_PROVIDER = 'twitter'

/**
 * Builds the application that answers requests. It opens no port: `listen` on it, or `inject`.
 * `webRoot` is the folder of the built web app; null serves the API alone.
 */
export async function buildApp(services: Services, webRoot: string | null): Promise<FastifyInstance> {
  const { config, keys } = services
  const https = config.siteUrl.startsWith('https:')
  const app = fastify({
    loggerInstance: services.logger,
    // Fastify's own lines carry addresses as they were sent; `request-log.ts` says less.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: ONE_MEBIBYTE,
    genReqId: createRequestIds(config.trustProxy !== false),
    // A logger for each request costs it more than all that is logged of it: lines that need the id name it.
    childLoggerFactory: (logger) => logger,
    forceCloseConnections: 'idle',
    schemaController: NO_SCHEMAS,
    ...SLOW_CLIENT_LIMITS,
    clientErrorHandler: unreadableRequestAnswer(services.logger),
    frameworkErrors: answerBadAddress,
  })
  const gauges: Gauge[] = []
  closeUnusedConnections(app)
  answerWithRequestId(app)
  registerRequestLog(app)
  registerMetrics(app, services, gauges)
  registerHealthRoutes(app, services.pool)
  await app.register(
    async (scope) => {
      await prepareApiSurface(scope, { surface: 'auth', anonKey: keys.anonKey, https })
      await registerAuthRoutes(scope, services, gauges)
    },
    { prefix: '/auth/v1' },
  )
  await app.register(
    async (scope) => {
      await prepareApiSurface(scope, { surface: 'rest', anonKey: keys.anonKey, https })
      await registerRestRoutes(scope, services)
    },
    { prefix: '/rest/v1' },
  )
  await app.register(
    async (scope) => {
      addApiSecurityHeaders(scope, https)
      scope.setErrorHandler(createErrorRenderer('auth'))
      registerPictures(scope, services)
    },
    { prefix: '/pictures' },
  )
  await app.register(async (scope) => {
    addApiSecurityHeaders(scope, https)
    registerSecurityContact(scope, () => contactText(services))
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
        },
      }),
    )
  }
  return app
}

function contactText({ config, clock }: Services): string | null {
  const { securityContact: contact, siteUrl } = config
  return contact === null ? null : securityText({ contact, siteUrl }, clock.now())
}

/** A number counts the proxies in front of this server: that many hops are believed, and none beyond. */
function trustedProxies(setting: Services['config']['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting
}
