import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** Two years, in seconds. */
const HSTS_MAX_AGE = 63_072_000

/**
 * Headers for responses that are data: not to be cached, framed, executed or embedded by other sites.
 * `https` is true when users reach the site over TLS.
 */
export function addApiSecurityHeaders(scope: FastifyInstance, https: boolean): void {
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(https ? { 'strict-transport-security': `max-age=${String(HSTS_MAX_AGE)}` } : {}),
  }
  scope.addHook('onRequest', async (_request, reply) => {
    void reply.headers(headers)
  })
}

/** Headers for the web app: it runs only its own files, can't be framed, and sends no referrer. */
export async function addPageSecurityHeaders(scope: FastifyInstance, https: boolean): Promise<void> {
  await scope.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: https ? { maxAge: HSTS_MAX_AGE, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    xssFilter: false,
    originAgentCluster: true,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })
}
