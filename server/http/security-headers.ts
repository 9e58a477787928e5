import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

export interface SecurityOptions {
  /** True when people reach the site over TLS. */
  https: boolean
  /** Other hosts that pictures may come from: none, unless a sign-in provider brings avatars. */
  imageOrigins: readonly string[]
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
        imgSrc: ["'self'", 'data:', ...options.imageOrigins],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: options.https ? { maxAge: 63_072_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    xssFilter: false,
    originAgentCluster: true,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  })
}
