import { timingSafeEqual } from 'node:crypto'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { ApiError } from '../errors/api-error.ts'
import { createErrorRenderer, type ErrorShape } from '../errors/render-error.ts'
import { addApiSecurityHeaders } from './security-headers.ts'

/** Every requested header is allowed, as by Supabase's gateway: client libraries add new ones. They read these. */
const CORS_OPTIONS = {
  origin: '*',
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  exposedHeaders: [
    'content-location',
    'content-range',
    'preference-applied',
    'range-unit',
    'retry-after',
    'x-sb-error-code',
    'x-supabase-api-version',
  ],
  maxAge: 86_400,
}

const UNKNOWN_PATH = {
  auth: new ApiError(404, 'not_found', 'Not found'),
  rest: new ApiError(404, 'PGRST125', 'Invalid path specified in request URL'),
}

/** Endpoints of GoTrue that this server lacks, up to the first part that varies. */
const UNSUPPORTED_AUTH_PATHS = [
  '/admin/audit',
  '/admin/custom-providers',
  '/admin/oauth',
  '/admin/sso',
  '/admin',
  '/magiclink',
  '/oauth',
  '/otp',
  '/passkeys',
  '/saml',
  '/sso',
  '/user/identities',
].map((path) => `/auth/v1${path}`)

/** The services of a Supabase project that this server lacks, by the path that the gateway leads to them. */
const UNSUPPORTED_SERVICES = {
  '/functions': 'edge functions',
  '/graphql': 'GraphQL',
  '/realtime': 'realtime',
  '/storage': 'file storage',
}

/**
 * Opened by browser navigation, which can't send the key in a header (Supabase's gateway leaves the same ones open), and by what has
 * only the link of a message: mail programs and the service worker.
 */
const PATHS_WITHOUT_KEY: ReadonlySet<string> = new Set([
  '/auth/v1/verify',
  '/auth/v1/callback',
  '/auth/v1/authorize',
  '/auth/v1/.well-known/jwks.json',
  '/reminders/v1/off',
  '/reminders/v1/on',
  '/reminders/v1/not-today',
])
const MISSING_KEY = {
  code: 'UNAUTHORIZED_MISSING_API_KEY',
  body: {
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  },
}
const INVALID_KEY = {
  code: 'UNAUTHORIZED_INVALID_API_KEY',
  body: {
    message: 'Invalid API key',
    hint: 'Double check your Supabase `anon` or `service_role` API key.',
  },
}

export interface ApiGatewayOptions {
  api: ErrorShape
  anonKey: string
  /** Whether another key is accepted as well; none is by default. */
  acceptsKey?: (key: string) => Promise<boolean>
  /** True when users reach the site over TLS. */
  https: boolean
}

/**
 * Prepares the scope of one API, before its routes are added, as the gateway of a Supabase project does: cross-origin
 * access, the API key, security headers, and errors in the shape of that API.
 */
export async function registerApiGateway(scope: FastifyInstance, options: ApiGatewayOptions): Promise<void> {
  const { api, anonKey, acceptsKey = async () => false, https } = options
  scope.setErrorHandler(createErrorRenderer(api))
  // Before CORS, which responds to preflight requests itself.
  addApiSecurityHeaders(scope, https)
  await scope.register(cors, CORS_OPTIONS)
  scope.addHook('onRequest', createApiKeyCheck(anonKey, acceptsKey))
  scope.setNotFoundHandler(({ url }) => {
    const path = pathOf(url)
    const lacking = UNSUPPORTED_AUTH_PATHS.find((known) => path === known || path.startsWith(`${known}/`))
    throw lacking === undefined
      ? UNKNOWN_PATH[api]
      : new ApiError(404, 'not_found', `Not supported by this server: ${lacking}`)
  })
}

/** Responds to calls of other services with what is missing, also to pages of other origins. */
export async function registerUnsupportedServices(app: FastifyInstance, https: boolean): Promise<void> {
  for (const [prefix, service] of Object.entries(UNSUPPORTED_SERVICES)) {
    await app.register(
      async (scope) => {
        addApiSecurityHeaders(scope, https)
        await scope.register(cors, CORS_OPTIONS)
        scope.setNotFoundHandler(async (_request, reply) => {
          const message = `Not supported by this server: ${service} (${prefix})`
          return reply.code(404).send({ code: 'not_found', message })
        })
      },
      { prefix },
    )
  }
}

/** The API key is public: it protects nothing, but keeps clients of another installation out. */
function createApiKeyCheck(anonKey: string, acceptsKey: (key: string) => Promise<boolean>) {
  const expected = Buffer.from(anonKey)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const key = apiKeyOf(request)
    if (key !== null && isEqual(Buffer.from(key), expected)) return undefined
    if (PATHS_WITHOUT_KEY.has(pathOf(request.url))) return undefined
    if (key !== null && (await acceptsKey(key))) return undefined
    const error = key === null ? MISSING_KEY : INVALID_KEY
    return reply.code(401).header('sb-error-code', error.code).send(error.body)
  }
}

const KeyParameter = v.object({ apikey: v.pipe(v.string(), v.nonEmpty()) })

function apiKeyOf(request: FastifyRequest): string | null {
  const header = request.headers['apikey']
  if (typeof header === 'string' && header !== '') return header
  return v.is(KeyParameter, request.query) ? request.query.apikey : null
}

function isEqual(key: Buffer, expected: Buffer): boolean {
  return key.length === expected.length && timingSafeEqual(key, expected)
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
