import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { createErrorRenderer, type ApiName } from '../errors/render-error.ts'
import { createApiKeyCheck } from './api-key.ts'
import { addApiSecurityHeaders } from './security-headers.ts'

/** Every header that the client libraries send, and every one that they read from the answer. */
const CORS_OPTIONS = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  allowedHeaders: [
    'accept',
    'accept-profile',
    'apikey',
    'authorization',
    'content-profile',
    'content-type',
    'prefer',
    'range',
    'range-unit',
    'x-client-info',
    'x-retry-count',
    'x-supabase-api-version',
  ],
  exposedHeaders: [
    'content-location',
    'content-range',
    'preference-applied',
    'range-unit',
    'retry-after',
    'x-sb-error-code',
    'x-supabase-api-version',
    // One text, because it goes out with every answer.
  ].join(', '),
  maxAge: 86_400,
}

const UNKNOWN_PATH = {
  auth: new ApiError(404, 'not_found', 'Not found'),
  rest: new ApiError(404, 'PGRST125', 'Invalid path specified in request URL'),
}

export interface ApiSurfaceOptions {
  surface: ApiName
  anonKey: string
  /** True when people reach the site over TLS. */
  https: boolean
}

/**
 * Prepares one scope of the API, before its routes are added: cross-origin access, the public key, errors in the
 * surface's own shape, and answers that no cache keeps and no page shows.
 */
export async function prepareApiSurface(scope: FastifyInstance, options: ApiSurfaceOptions): Promise<void> {
  const { surface, anonKey, https } = options
  scope.setErrorHandler(createErrorRenderer(surface))
  // Before the answer to a preflight, which ends there.
  addApiSecurityHeaders(scope, https)
  await scope.register(cors, CORS_OPTIONS)
  scope.addHook('onRequest', createApiKeyCheck(anonKey))
  scope.setNotFoundHandler(() => {
    throw UNKNOWN_PATH[surface]
  })
}
