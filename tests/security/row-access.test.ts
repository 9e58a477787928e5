import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '#tests/contract/auth/auth-client.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { type AttackResponse, attack, bearer } from './attack.ts'
import { protectedCalls } from './protected-calls.ts'
import { rowCalls } from './row-calls.ts'
import { BENS_SECRET, startWithTwoUsers, type TwoUsers } from './two-users.ts'

let world: TwoUsers

beforeAll(async () => {
  world = await startWithTwoUsers()
})

afterAll(() => world.close())

/** Everyone except Ben, with the token they send; null for none. */
const INTRUDERS: Readonly<Record<string, () => Promise<string | null>>> = {
  'an anonymous client with only the API key': async () => null,
  'an anonymous client with the API key as token': async () => world.server.services.keys.anonKey,
  'another user': async () => world.anna.session.access_token,
  'another user with additional claims': async () =>
    accessTokenFor(world.server.services, world.anna.id, {
      app_metadata: { role: 'service_role', admin: true, user_id: world.ben.id },
      user_metadata: { sub: world.ben.id, role: 'service_role' },
      email: 'ben@example.org',
      aal: 'aal2',
    }),
  'a deleted user whose token is still valid': deletedUser,
  'a user who never existed': async () =>
    accessTokenFor(world.server.services, '00000000-0000-4000-8000-00000000dead'),
  'a token without a user': async () => accessTokenFor(world.server.services, ''),
}

let deleted: string | null = null

async function deletedUser(): Promise<string> {
  if (deleted !== null) return deleted
  const { access_token: token, user } = await signUp(world.server, 'deleted@example.org')
  await world.server.database.pool.query('delete from auth.users where id = $1', [user.id])
  deleted = token
  return token
}

const CALLS = Object.keys(rowCalls(noOwner(), noOwner()))

function noOwner() {
  const session = {
    access_token: '',
    refresh_token: '',
    expires_in: 0,
    expires_at: 0,
    user: { id: '', email: '' },
  }
  return { session, id: '', categoryId: '', prayerId: '', updateId: '' }
}

async function rowsOfBen(): Promise<unknown> {
  const { pool } = world.server.database
  const tables = ['categories', 'prayers', 'prayer_updates', 'prayed_days', 'sync_state', 'deletions']
  const results = await Promise.all(
    tables.map((table) => pool.query(`select * from public.${table} where user_id = $1`, [world.ben.id])),
  )
  return results.map(({ rows }): unknown[] => rows)
}

/** The total in Content-Range, which must not count rows of others either. */
function countOf({ headers }: AttackResponse): string {
  return headers.get('content-range')?.split('/')[1] ?? '*'
}

describe.each(Object.keys(INTRUDERS))('%s', (name) => {
  it.each(CALLS)('%s: neither reads nor changes rows of others', async (operation) => {
    const call = rowCalls(world.ben, world.anna)[operation]
    const token = (await INTRUDERS[name]?.()) ?? null
    if (call === undefined) throw new Error(`no call ${operation}`)
    const before = await rowsOfBen()
    const response = await attack(world.server, {
      ...call,
      headers: { ...call.headers, ...(token === null ? {} : bearer(token)) },
    })
    expect(response.status, response.text).toBeLessThan(500)
    expect(response.text).not.toContain(BENS_SECRET)
    expect(response.text).not.toContain('ben@example.org')
    expect(['*', '0', '1']).toContain(countOf(response))
    expect(await rowsOfBen()).toEqual(before)
  })
})

it('the owner is allowed to make every protected call', async () => {
  // Without a session, because some of the calls end all sessions.
  const token = await accessTokenFor(world.server.services, world.ben.id, { session_id: '' })
  for (const call of protectedCalls(world.ben)) {
    const response = await attack(world.server, { ...call, headers: bearer(token) })
    expect(response.status, `${call.method} ${call.path}: ${response.text}`).toBeLessThan(300)
  }
})
