import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../errors/api-error.ts'
import type { RequestSettings } from '../db/request-scope.ts'
import type { Services } from '../services.ts'
import { IMPORT_MAX_BYTES } from '#shared/limits.ts'
import { callFunction } from './call-function.ts'
import { identifyCaller, type IdentifiedCaller } from './caller.ts'
import type { DataRequest, DataResponse, DataSource } from './data-request.ts'
import { encodeResponse } from './encode-response.ts'
import { functionDenied, methodNotAllowedOnFunction, unsupported, unsupportedMethod } from './errors.ts'
import { parseHeaders } from './headers.ts'
import { requireImportableSize } from './parse-body.ts'
import { parseParameters } from './parse-query.ts'
import { readTable } from './read-table.ts'
import { createRequestLimits, limitReadingTime, type RequestLimits } from './request-limits.ts'
import { SchemaCache } from './schema-cache.ts'
import { deleteRows, insertRows, updateRows } from './write-table.ts'

const PREFIX = '/rest/v1'

type Endpoint = (source: DataSource, request: DataRequest) => Promise<DataResponse>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const TABLE_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ['GET', readTable],
  ['HEAD', readTable],
  ['POST', insertRows],
  ['PATCH', updateRows],
  ['DELETE', deleteRows],
])
const FUNCTION_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map([['POST', callFunction]])

/** Bytes of a body, apart from an imported file. */
const DATA_BODY_LIMIT = 1024 * 1024
/** The JSON around an imported file: the names of the arguments. */
const IMPORT_ENVELOPE_BYTES = 1024

/**
 * The data API: all tables and functions of schema `public`. Each request is one statement, run as the caller in a
 * transaction of its own. The scope must be prefixed and prepared by `http/api-gateway.ts`.
 */
export async function registerRestRoutes(scope: FastifyInstance, services: Services): Promise<void> {
  const source = { pool: services.dataPool, schema: await SchemaCache.load(services.pool, services.clock) }
  // Bodies stay text: PostgreSQL converts their values.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.decorateRequest(CALLER, null)
  const limits = createRequestLimits()
  const onRequest = async (request: FastifyRequest) => identify(services, request)
  const callHandler = createHandler(source, limits, FUNCTION_ENDPOINTS, methodNotAllowedOnFunction)
  scope.route<NamedRoute>({
    method: 'POST',
    url: '/rpc/:name(^import_(?:prayers|sealed)$)',
    bodyLimit: IMPORT_MAX_BYTES + IMPORT_ENVELOPE_BYTES,
    onRequest: [onRequest, requireSignedIn, async (request) => limits.beginImport(request)],
    preHandler: async ({ body }) => {
      if (Buffer.isBuffer(body)) requireImportableSize(body)
    },
    onSend: async (request) => limits.endImport(request),
    handler: callHandler,
  })
  scope.route<NamedRoute>({
    method: METHODS,
    url: '/rpc/:name',
    bodyLimit: DATA_BODY_LIMIT,
    exposeHeadRoute: false,
    onRequest,
    handler: callHandler,
  })
  scope.get('/', () => {
    throw unsupported('the OpenAPI description of the schema')
  })
  scope.route<NamedRoute>({
    method: METHODS,
    url: '/:name',
    bodyLimit: DATA_BODY_LIMIT,
    exposeHeadRoute: false,
    onRequest,
    handler: createHandler(source, limits, TABLE_ENDPOINTS, unsupportedMethod),
  })
}

interface NamedRoute {
  Params: { name: string }
}

/** The request's decorator with its caller. */
const CALLER = 'caller'

function callerOf(request: FastifyRequest): IdentifiedCaller {
  return request.getDecorator<IdentifiedCaller>(CALLER)
}

/** Before the body is read, because what a caller may send depends on the account. */
async function identify(services: Services, request: FastifyRequest): Promise<void> {
  const caller = await identifyCaller(services, request.headers.authorization)
  request.setDecorator(CALLER, caller)
  request.accountId = caller.accountId
}

/** Larger bodies are accepted from signed-in callers only; others are rejected before the body is read. */
async function requireSignedIn(request: FastifyRequest<NamedRoute>): Promise<void> {
  if (callerOf(request).role === 'anon') throw functionDenied(request.params.name)
}

function createHandler(
  source: DataSource,
  limits: RequestLimits,
  endpoints: ReadonlyMap<string, Endpoint>,
  methodError: (method: string) => ApiError,
) {
  return async (request: FastifyRequest<NamedRoute>, reply: FastifyReply) => {
    const endpoint = endpoints.get(request.method)
    if (endpoint === undefined) throw methodError(request.method)
    const dataRequest = {
      ...parseHeaders(request.method, request.headers),
      method: request.method,
      resource: request.params.name,
      parameters: parseParameters(request.raw.url ?? ''),
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : undefined,
      caller: { ...callerOf(request), request: requestSettings(request) },
    }
    const response = await limits.run(request, reply, () => endpoint(source, dataRequest))
    const { status, headers, body } = await encodeResponse(response, request.headers['accept-encoding'])
    limitReadingTime(reply.raw, body?.length ?? 0)
    return reply.code(status).headers(headers).send(body)
  }
}

/** As PostgREST behind Supabase's gateway sees the request: without the prefix of the API, and without cookies. */
function requestSettings({
  method,
  url,
  headers: { cookie: _omitted, ...headers },
}: FastifyRequest): RequestSettings {
  const path = new URL(url, 'http://localhost').pathname.slice(PREFIX.length)
  return { method, path, headers: JSON.stringify(headers) }
}
