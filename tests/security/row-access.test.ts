import { expect, it } from 'vitest'
import { newUser } from '#tests/contract/auth/auth-client.ts'
import { rowsOf } from '#tests/rls/stored-rows.ts'
import { accessTokenFor } from '#tests/support/access-token.ts'
import { useMailbox } from '#tests/support/shared-server.ts'
import { type AttackResponse, attack, bearer } from './attack.ts'
import { rowCalls } from './row-calls.ts'
import { BENS_SECRET, useTwoUsers } from './two-users.ts'

const mailbox = useMailbox()
const world = useTwoUsers(() => ({ config: { dataDir: mailbox.dataDir } }))

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

async function deletedUser(): Promise<string> {
  const { access_token: token, user } = await newUser(world.server)
  await world.server.database.pool.query('delete from auth.users where id = $1', [user.id])
  return token
}

const rowsOfBen = () => rowsOf(world.server.database.pool, world.ben.id)

/** The total in Content-Range, which must not count rows of others either. */
function countOf({ headers }: AttackResponse): string {
  return headers.get('content-range')?.split('/')[1] ?? '*'
}

it.each(Object.entries(INTRUDERS))('%s neither reads nor changes rows of others', async (_name, tokenOf) => {
  const token = await tokenOf()
  const before = await rowsOfBen()
  for (const [name, call] of Object.entries(rowCalls(world.ben, world.anna))) {
    const headers = { ...call.headers, ...(token === null ? {} : bearer(token)) }
    const response = await attack(world.server, { ...call, headers })
    expect(response.status, `${name}: ${response.text}`).toBeLessThan(500)
    expect(response.text, name).not.toContain(BENS_SECRET)
    expect(response.text, name).not.toContain('ben@example.org')
    expect(['*', '0', '1'], name).toContain(countOf(response))
    expect(await rowsOfBen(), name).toEqual(before)
  }
})
