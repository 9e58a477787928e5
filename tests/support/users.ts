import type { Pool, PoolClient } from 'pg'
import type { Caller } from '#server/db/request-scope.ts'

/** Two users without any connection to each other. */
export const ANNA = '00000000-0000-4000-8000-00000000000a'
export const BEN = '00000000-0000-4000-8000-00000000000b'

export const asAnna: Caller = signedIn(ANNA)
export const asBen: Caller = signedIn(BEN)
export const asAnonymous: Caller = { role: 'anon', claims: JSON.stringify({ role: 'anon' }) }

function signedIn(id: string): Caller {
  return { role: 'authenticated', claims: JSON.stringify({ sub: id, role: 'authenticated' }) }
}

/** Turns two-factor sign-in on for a user. */
export async function addFactor(database: Pool | PoolClient, userId: string): Promise<void> {
  await database.query({
    text: `insert into auth.mfa_factors (id, user_id, factor_type, status, secret, created_at, updated_at)
           values (gen_random_uuid(), $1, 'totp', 'verified', 'AAAA', now(), now())`,
    values: [userId],
  })
}

/** Adds their accounts, without passwords and identities. */
export async function addUsers(pool: Pool): Promise<void> {
  await pool.query({
    text: 'insert into auth.users (id, email) values ($1, $2), ($3, $4)',
    values: [ANNA, 'anna@example.org', BEN, 'ben@example.org'],
  })
}
