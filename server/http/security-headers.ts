import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface SecurityOptions {
  /** True when people reach the site over TLS. */
  https: boolean
}

/** In seconds: two years. */
const HSTS_AGE = 63_072_000

/** Every answer of the scope says that it is data: for nobody to keep, to frame or to run, nor for other sites to show. */
export function addApiSecurityHeaders(scope: FastifyInstance, https: boolean): void {
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(https ? { 'strict-transport-security': `max-age=${String(HSTS_AGE)}` } : {}),
  }
  scope.addHook('onRequest', async (_request, reply) => {
    void reply.headers(headers)
  })
}

/** The page runs nothing but its own files, is framed by nobody, and tells no other site where it was. */
export async function registerSecurityHeaders(
  scope: FastifyInstance,
  options: SecurityOptions,
): Promise<void> {
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
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: options.https ? { maxAge: HSTS_AGE, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    xssFilter: false,
    originAgentCluster: true,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })
}
