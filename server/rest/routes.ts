import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../errors/api-error.ts'
import type { RequestSettings } from '../db/request-scope.ts'
import type { Services } from '../services.ts'
import { IMPORT_MAX_BYTES } from '#shared/limits.ts'
import { callFunction } from './call-function.ts'
import { identifyCaller } from './caller.ts'
import type { DataRequest, DataResponse, DataSource } from './data-request.ts'
import { functionDenied, methodNotAllowedOnFunction, unsupported, unsupportedMethod } from './errors.ts'
import { parseHeaders } from './headers.ts'
import { parseParameters } from './parse-query.ts'
import { readTable } from './read-table.ts'
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
const FUNCTION_ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ['GET', callFunction],
  ['HEAD', callFunction],
  ['POST', callFunction],
])

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
  scope.route<{ Params: { name: string } }>({
    method: 'POST',
    url: '/rpc/:name(^import_prayers$)',
    bodyLimit: IMPORT_MAX_BYTES + IMPORT_ENVELOPE_BYTES,
    onRequest: async ({ headers }) => requireSignedIn(services, headers.authorization),
    handler: createHandler(services, source, FUNCTION_ENDPOINTS, methodNotAllowedOnFunction),
  })
  scope.route<{ Params: { name: string } }>({
    method: METHODS,
    url: '/rpc/:name',
    exposeHeadRoute: false,
    handler: createHandler(services, source, FUNCTION_ENDPOINTS, methodNotAllowedOnFunction),
  })
  scope.get('/', () => {
    throw unsupported('the OpenAPI description of the schema')
  })
  scope.route<{ Params: { name: string } }>({
    method: METHODS,
    url: '/:name',
    exposeHeadRoute: false,
    handler: createHandler(services, source, TABLE_ENDPOINTS, unsupportedMethod),
  })
}

/** Larger bodies are accepted from signed-in callers only; others are rejected before the body is read. */
async function requireSignedIn(services: Services, authorization: string | undefined): Promise<void> {
  const { role } = await identifyCaller(services, authorization)
  if (role === 'anon') throw functionDenied('import_prayers')
}

function createHandler(
  services: Services,
  source: DataSource,
  endpoints: ReadonlyMap<string, Endpoint>,
  methodError: (method: string) => ApiError,
) {
  return async (request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) => {
    const caller = {
      ...(await identifyCaller(services, request.headers.authorization)),
      request: requestSettings(request),
    }
    const endpoint = endpoints.get(request.method)
    if (endpoint === undefined) throw methodError(request.method)
    const response = await endpoint(source, {
      ...parseHeaders(request.method, request.headers),
      method: request.method,
      resource: request.params.name,
      parameters: parseParameters(request.raw.url ?? ''),
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : undefined,
      caller,
    })
    return reply
      .code(response.status)
      .headers(response.headers)
      .send(response.body ?? undefined)
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
