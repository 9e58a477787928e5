import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { fieldsOf } from '#shared/fields.ts'

/** Addresses that people open in a browser, where no header can be sent (Supabase's gateway leaves the same open). */
const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/auth/v1/verify',
  '/auth/v1/callback',
  '/auth/v1/authorize',
  '/auth/v1/.well-known/jwks.json',
])

const MISSING = {
  code: 'UNAUTHORIZED_MISSING_API_KEY',
  body: {
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  },
}
const INVALID = {
  code: 'UNAUTHORIZED_INVALID_API_KEY',
  body: {
    message: 'Invalid API key',
    hint: 'Double check your Supabase `anon` or `service_role` API key.',
  },
}

/**
 * Makes the hook that asks every API request for the public key, as the gateway of a Supabase project does.
 * The key protects nothing by itself; it tells one installation's clients from another's.
 */
export function createApiKeyCheck(anonKey: string) {
  const expected = Buffer.from(anonKey)
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const given = apiKeyOf(request)
    if (given !== null && isSame(Buffer.from(given), expected)) return done()
    if (OPEN_PATHS.has(pathOf(request.url))) return done()
    const refusal = given === null ? MISSING : INVALID
    void reply.code(401).header('sb-error-code', refusal.code).send(refusal.body)
  }
}

function apiKeyOf(request: FastifyRequest): string | null {
  const header = request.headers['apikey']
  if (typeof header === 'string' && header !== '') return header
  const parameter = fieldsOf(request.query)['apikey']
  return typeof parameter === 'string' && parameter !== '' ? parameter : null
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
