import { createHash, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { withTransaction } from '../db/transaction.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services.ts'
import type { Queryable } from './account.ts'
import { record, type Actor } from './administration-log.ts'
import { bearerToken, verifyBearerToken } from './bearer.ts'

/** Like the secret keys of a Supabase project. It is not a token, so nothing that takes tokens accepts it. */
const SERVICE_KEY = /^sb_secret_[\w-]{43}$/
const KEY_BYTES = 32
/** The setting in which the hash of the key is stored, if there is one. */
const SETTING = 'service_key'

const STORE = `
  insert into intercede.settings (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value, created_at = now()`
const REMOVE = 'delete from intercede.settings where name = $1'
const FIND = 'select from intercede.settings where name = $1 and value = $2'

/** Stores a new key for the admin API, which only its caller ever knows. The former one no longer works. */
export async function storeNewServiceKey(database: Queryable): Promise<string> {
  const key = `sb_secret_${randomBytes(KEY_BYTES).toString('base64url')}`
  await database.query({ name: 'auth:store-service-key', text: STORE, values: [SETTING, hashOf(key)] })
  return key
}

/** Makes a new service key, in place of the one there may be. */
export async function makeServiceKey(services: Pick<Services, 'pool' | 'clock'>, by: Actor): Promise<string> {
  return withTransaction(services.pool, async (transaction) => {
    await record(transaction, services, { action: 'make-key', by, accountId: null })
    return storeNewServiceKey(transaction)
  })
}

/** Resolves to whether there was a key. */
export async function revokeServiceKey(
  services: Pick<Services, 'pool' | 'clock'>,
  by: Actor,
): Promise<boolean> {
  return withTransaction(services.pool, async (transaction) => {
    const { rowCount } = await transaction.query({
      name: 'auth:remove-service-key',
      text: REMOVE,
      values: [SETTING],
    })
    const wasThere = rowCount === 1
    if (wasThere) await record(transaction, services, { action: 'revoke-key', by, accountId: null })
    return wasThere
  })
}

/** Whether this is the key for the admin API at this moment. */
export async function isServiceKey(database: Queryable, key: string): Promise<boolean> {
  if (!SERVICE_KEY.test(key)) return false
  const values = [SETTING, hashOf(key)]
  const { rowCount } = await database.query({ name: 'auth:find-service-key', text: FIND, values })
  return rowCount === 1
}

/**
 * Throws `no_authorization`, `bad_jwt` or `not_admin` unless the request has the service key as its token. No user is an admin.
 * supabase/auth internal/api/middleware.go requireAdminCredentials.
 */
export async function requireServiceKey(request: FastifyRequest, services: Services): Promise<void> {
  const token = bearerToken(request)
  if (await isServiceKey(services.pool, token)) return
  await verifyBearerToken(services, token)
  throw new ApiError(403, 'not_admin', 'User not allowed')
}

/** The key is random, so that a fast hash protects it. */
function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
