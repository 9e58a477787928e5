import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '#tests/contract/auth/auth-client.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { type AttackAnswer, attack, bearer } from './attack.ts'
import { protectedCalls } from './protected-calls.ts'
import { rowCalls } from './row-calls.ts'
import { BENS_SECRET, startWithTwoPeople, type TwoPeople } from './two-people.ts'

let world: TwoPeople

beforeAll(async () => {
  world = await startWithTwoPeople()
})

afterAll(() => world.close())

/** Whoever is not Ben: the authorization that they send, null for none. */
const INTRUDERS: Readonly<Record<string, () => Promise<string | null>>> = {
  'nobody, with the public key alone': async () => null,
  'nobody, with the public key as token': async () => world.server.services.keys.anonKey,
  'another person': async () => world.anna.session.access_token,
  'another person, with more in the claims': async () =>
    accessTokenFor(world.server.services, world.anna.id, {
      app_metadata: { role: 'service_role', admin: true, user_id: world.ben.id },
      user_metadata: { sub: world.ben.id, role: 'service_role' },
      email: 'ben@example.org',
      aal: 'aal2',
    }),
  'a person who was deleted, with a token that is still valid': deletedPerson,
  'somebody who never existed': async () =>
    accessTokenFor(world.server.services, '00000000-0000-4000-8000-00000000dead'),
  'a token that names nobody': async () => accessTokenFor(world.server.services, ''),
}

let deleted: string | null = null

async function deletedPerson(): Promise<string> {
  if (deleted !== null) return deleted
  const { access_token: token, user } = await signUp(world.server, 'gone@example.org')
  await world.server.database.pool.query('delete from auth.users where id = $1', [user.id])
  deleted = token
  return token
}

const CALLS = Object.keys(rowCalls(nobody(), nobody()))

function nobody() {
  const session = {
    access_token: '',
    refresh_token: '',
    expires_in: 0,
    expires_at: 0,
    user: { id: '', email: '' },
  }
  return { session, id: '', categoryId: '', prayerId: '' }
}

async function rowsOfBen(): Promise<unknown> {
  const { pool } = world.server.database
  const categories = await pool.query('select * from public.categories where user_id = $1', [world.ben.id])
  const prayers = await pool.query('select * from public.prayers where user_id = $1', [world.ben.id])
  return [categories.rows, prayers.rows]
}

/** A count of rows that are not theirs would tell as well. */
function countOf({ headers }: AttackAnswer): string {
  return headers.get('content-range')?.split('/')[1] ?? '*'
}

describe.each(Object.keys(INTRUDERS))('%s', (name) => {
  it.each(CALLS)('%s: never a row of another', async (does) => {
    const call = rowCalls(world.ben, world.anna)[does]
    const token = (await INTRUDERS[name]?.()) ?? null
    if (call === undefined) throw new Error(`no call ${does}`)
    const before = await rowsOfBen()
    const answer = await attack(world.server, {
      ...call,
      headers: { ...call.headers, ...(token === null ? {} : bearer(token)) },
    })
    expect(answer.status, answer.text).toBeLessThan(500)
    expect(answer.text).not.toContain(BENS_SECRET)
    expect(answer.text).not.toContain('ben@example.org')
    expect(['*', '0', '1']).toContain(countOf(answer))
    expect(await rowsOfBen()).toEqual(before)
  })
})

it('the owner is let in by every call that others are refused', async () => {
  // Of no session, because some of the calls end all sessions.
  const token = await accessTokenFor(world.server.services, world.ben.id, { session_id: '' })
  for (const call of protectedCalls(world.ben)) {
    const answer = await attack(world.server, { ...call, headers: bearer(token) })
    expect(answer.status, `${call.method} ${call.path}: ${answer.text}`).toBeLessThan(300)
  }
})
