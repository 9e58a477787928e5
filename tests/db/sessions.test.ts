import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { ANNA, asAnna, asBen, BEN } from '#tests/support/users.ts'
import { createAccounts, UNKNOWN } from './accounts.ts'

const { asOwner, run, valueOf } = createAccounts()

/** Adds a session; resolves to its id. */
async function addSession(
  owner: string,
  columns: { created_at?: string; refreshed_at?: string; not_after?: string; user_agent?: string } = {},
): Promise<string> {
  const id = randomUUID()
  const { created_at = '2026-01-01T08:00:00Z', refreshed_at, not_after, user_agent } = columns
  await asOwner(
    `insert into auth.sessions (id, user_id, created_at, refreshed_at, not_after, user_agent, ip)
     values ($1, $2, $3, $4, $5, $6, '203.0.113.9')`,
    [id, owner, created_at, refreshed_at, not_after, user_agent],
  )
  return id
}

const addToken = (session: string, revoked: boolean) =>
  asOwner('insert into auth.refresh_tokens (token, session_id, revoked) values ($1, $2, $3)', [
    randomUUID(),
    session,
    revoked,
  ])

const list = (caller: Caller) =>
  valueOf<Record<string, unknown>[]>(caller, 'select public.list_sessions() as value')
const idsOf = async (caller: Caller) => (await list(caller)).map(({ id }) => id)
const end = (caller: Caller, session: string) => run(caller, 'select public.end_session($1)', [session])

describe('the list of sessions', () => {
  it('says when each of the caller’s began and was last used, in which browser, and which is the current one, but not where', async () => {
    const phone = await addSession(ANNA, { user_agent: 'Firefox' })
    const laptop = await addSession(ANNA, { refreshed_at: '2026-01-02T09:30:00' })
    await addSession(BEN)
    const claims = JSON.stringify({ sub: ANNA, role: 'authenticated', session_id: phone })
    expect(await list({ role: 'authenticated', claims })).toEqual([
      {
        id: laptop,
        created_at: '2026-01-01T08:00:00+00:00',
        last_used_at: '2026-01-02T09:30:00+00:00',
        user_agent: null,
        is_current: false,
      },
      {
        id: phone,
        created_at: '2026-01-01T08:00:00+00:00',
        last_used_at: '2026-01-01T08:00:00+00:00',
        user_agent: 'Firefox',
        is_current: true,
      },
    ])
  })

  it('marks none for a token without a session', async () => {
    await addSession(ANNA)
    expect(await list(asAnna)).toMatchObject([{ is_current: false }])
  })

  it('is empty without any', async () => {
    await addSession(BEN)
    expect(await list(asAnna)).toEqual([])
  })

  it('leaves out sessions that are over: at their end, or with all tokens revoked', async () => {
    await addSession(ANNA, { not_after: '2026-01-01T09:00:00Z' })
    await addToken(await addSession(ANNA), true)
    const renewed = await addSession(ANNA, { created_at: '2026-01-03T00:00:00Z' })
    await addToken(renewed, true)
    await addToken(renewed, false)
    const limited = await addSession(ANNA, { not_after: '2199-01-01T00:00:00Z' })
    expect(await idsOf(asAnna)).toEqual([renewed, limited])
  })
})

describe('ending a session', () => {
  it('removes it with its tokens, and no other', async () => {
    const [phone, laptop] = [await addSession(ANNA), await addSession(ANNA)]
    await addToken(phone, false)
    await end(asAnna, phone)
    expect(await idsOf(asAnna)).toEqual([laptop])
    expect(await asOwner('select from auth.refresh_tokens where session_id = $1', [phone])).toEqual([])
  })

  it('does nothing to that of another user, or twice', async () => {
    const phone = await addSession(ANNA)
    for (const session of [phone, UNKNOWN]) await end(asBen, session)
    expect(await idsOf(asAnna)).toEqual([phone])
    await end(asAnna, phone)
    await end(asAnna, phone)
    expect(await idsOf(asAnna)).toEqual([])
  })
})
