import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { ApiError } from '../../errors/api-error.ts'
import { authorize, changeAccount, proofFields } from '../account-change.ts'
import type { Queryable } from '../account.ts'
import type { AuthServices } from '../auth-services.ts'
import { requireBearer } from '../bearer.ts'
import { sendNotice } from '../notices.ts'
import { countRequests } from '../rate-limits.ts'
import { parseBody } from '../request-body.ts'
import { hasSecondFactor, requireSecondFactor } from './second-factor.ts'
import { recoveryCodesEmail } from './two-factor-emails.ts'

/** Codes that an account gets at a time. */
const CODES = 10
/** Crockford's base32, in which no two characters look alike. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** Characters of a code, 5 random bits each: too many to be guessed, even by somebody who has the hash. */
const LENGTH = 16

const NEEDS_SECOND_FACTOR = [403, 'AAL2 required for recovery codes'] as const
const REQUIREMENTS = { secondFactor: NEEDS_SECOND_FACTOR, proof: 'recovery-codes' } as const

const Body = v.object(proofFields)

/**
 * GET /factors/recovery-codes: how many are left. POST: ten new ones, shown this once, which replace those from before. Each
 * works once in place of an app's code (verify-recovery-code.ts). The real service has none.
 */
export function registerRecoveryCodes(app: FastifyInstance, services: AuthServices): void {
  app.get('/factors/recovery-codes', async (request) => {
    const bearer = await requireBearer(request, services)
    requireSecondFactor(bearer, ...NEEDS_SECOND_FACTOR)
    return { unused: await countRecoveryCodes(services.pool, bearer.account.id) }
  })
  const onRequest = countRequests(services, 'factors')
  app.post('/factors/recovery-codes', { onRequest }, async (request) => {
    const bearer = await requireBearer(request, services)
    const proof = parseBody(request, Body)
    const change = await authorize(request, services, bearer, () => REQUIREMENTS, proof)
    const codes = Array.from({ length: CODES }, createCode)
    const replaced = await changeAccount(services, change, async (transaction, { account }) => {
      if (!hasSecondFactor(account)) {
        throw new ApiError(422, 'mfa_factor_not_found', 'Two-factor sign-in is not on')
      }
      return replaceCodes(transaction, account.id, codes)
    })
    if (replaced > 0) {
      const { account } = bearer
      await sendNotice(request, services, { account, template: recoveryCodesEmail, path: '/settings' })
    }
    return { recovery_codes: codes }
  })
}

/** In groups of four. */
function createCode(): string {
  const characters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-')
}

/** The form in which a code is stored. Typed codes may differ in blanks, hyphens, case, and characters that look alike. */
export function hashOfCode(accountId: string, typed: string): Buffer {
  const letters = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const code = letters.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return createHash('sha256').update(`${accountId} ${code}`).digest()
}

const REMOVE = 'delete from intercede.recovery_codes where user_id = $1'
const STORE = 'insert into intercede.recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])'

/** Resolves to how many were left of those from before. */
async function replaceCodes(
  transaction: Queryable,
  accountId: string,
  codes: readonly string[],
): Promise<number> {
  const hashes = codes.map((code) => hashOfCode(accountId, code))
  const values = [accountId]
  const removed = await transaction.query({ name: 'auth:remove-recovery-codes', text: REMOVE, values })
  await transaction.query({ name: 'auth:store-recovery-codes', text: STORE, values: [accountId, hashes] })
  return removed.rowCount ?? 0
}

const COUNT = 'select count(*)::int as count from intercede.recovery_codes where user_id = $1'

export async function countRecoveryCodes(database: Queryable, accountId: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: 'auth:count-recovery-codes',
    text: COUNT,
    values: [accountId],
  })
  return rows[0]?.count ?? 0
}
