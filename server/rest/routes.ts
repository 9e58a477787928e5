import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import { IMPORT_MAX_BYTES } from '#shared/limits.ts'
import { callFunction } from './call-function.ts'
import { identifyCaller } from './caller.ts'
import { Catalogue } from './catalogue.ts'
import { type DataRequest, type DataSource, readHeaders } from './data-request.ts'
import { checkProfile } from './profile.ts'
import { parseQuery, queryOf } from './query-string.ts'
import { readTable } from './read-table.ts'
import { methodNotAllowedOnFunction, notForAnonymous, unsupportedMethod } from './refusals.ts'
import type { Answer } from './respond.ts'
import { deleteRows, insertRows, updateRows } from './write-table.ts'

type Operation = (source: DataSource, request: DataRequest) => Promise<Answer>

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const ON_TABLES: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['GET', readTable],
  ['HEAD', readTable],
  ['POST', insertRows],
  ['PATCH', updateRows],
  ['DELETE', deleteRows],
])
const ON_FUNCTIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['GET', callFunction],
  ['HEAD', callFunction],
  ['POST', callFunction],
])

/** What goes around a file when it is sent: the names of the arguments. */
const IMPORT_ENVELOPE_BYTES = 1024

/**
 * The data surface: every table and function of schema `public`, each call one statement in a transaction of its
 * own, run as the caller. The scope must be prefixed and prepared by `http/api-surface.ts`.
 */
export async function registerRestRoutes(scope: FastifyInstance, services: Services): Promise<void> {
  const source = { pool: services.pool, catalogue: await Catalogue.load(services.pool, services.clock) }
  // Bodies are not read here: they go to the database as they came.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.route<{ Params: { name: string } }>({
    method: 'POST',
    url: '/rpc/:name(^import_prayers$)',
    bodyLimit: IMPORT_MAX_BYTES + IMPORT_ENVELOPE_BYTES,
    onRequest: async ({ headers }) => requireSignedIn(services, headers.authorization),
    handler: handler(services, source, ON_FUNCTIONS, methodNotAllowedOnFunction),
  })
  scope.route<{ Params: { name: string } }>({
    method: METHODS,
    url: '/rpc/:name',
    exposeHeadRoute: false,
    handler: handler(services, source, ON_FUNCTIONS, methodNotAllowedOnFunction),
  })
  scope.route<{ Params: { name: string } }>({
    method: METHODS,
    url: '/:name',
    exposeHeadRoute: false,
    handler: handler(services, source, ON_TABLES, unsupportedMethod),
  })
}

/** Nobody else is let send so much: what a stranger sends is refused before it is read. */
async function requireSignedIn(services: Services, authorization: string | undefined): Promise<void> {
  const { role } = await identifyCaller(services, authorization)
  if (role === 'anon') throw notForAnonymous('import_prayers')
}

function handler(
  services: Services,
  source: DataSource,
  operations: ReadonlyMap<string, Operation>,
  refuse: (method: string) => ApiError,
) {
  return async (request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) => {
    const caller = await identifyCaller(services, request.headers.authorization)
    const operation = operations.get(request.method)
    if (operation === undefined) throw refuse(request.method)
    const answer = await operation(source, {
      method: request.method,
      resource: request.params.name,
      parameters: parseQuery(queryOf(request.raw.url ?? '')),
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : undefined,
      caller,
      namesProfile: checkProfile(request.method, request.headers),
      ...readHeaders(request.headers),
    })
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .send(answer.body ?? undefined)
  }
}
