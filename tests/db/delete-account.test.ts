import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { ANNA, asAnna, BEN } from '#tests/support/users.ts'
import { createAccounts } from './accounts.ts'

const { asOwner, run, valueOf } = createAccounts()

beforeEach(async () => {
  for (const id of [ANNA, BEN]) await addRowsOf(id)
})

/** Adds one row of every kind that can belong to a user. */
async function addRowsOf(id: string): Promise<void> {
  await asOwner(
    `with category as (
             insert into public.categories (user_id, name, "order") values ($1, 'Family', 1) returning id
           ), prayer as (
             insert into public.prayers (user_id, category_id, person_name) select $1, id, 'Ruth' from category
           ), identity as (
             insert into auth.identities (user_id, provider, provider_id, identity_data)
             values ($1, 'email', $1::text, '{}')
           ), session as (
             insert into auth.sessions (id, user_id, created_at) values (gen_random_uuid(), $1, now()) returning id
           ), method as (
             insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
             select gen_random_uuid(), id, 'password', now(), now() from session
           ), reminder as (
             insert into public.reminders (user_id, remind_at, weekdays, time_zone) values ($1, '07:00', 127, 'UTC')
             returning id
           ), key as (
             insert into public.encryption_keys values ($1, '0123456789ABCDEF', 'off', 1, repeat('p', 43))
           ), subscription as (
             insert into private.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, created_at)
             select $1, id, 'https://fcm.googleapis.com/' || $1, 'key', 'secret', now() from session returning id
           ), delivery as (
             insert into private.reminder_deliveries (reminder_id, subscription_id, due_at, day, try_at)
             select reminder.id, subscription.id, now(), now(), now() from reminder, subscription
           ), token as (
             insert into auth.refresh_tokens (token, user_id, session_id) select $1::text, $1::text, id from session
           )
           insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
           values (gen_random_uuid(), $1, 'recovery_token', 'hash', 'anna@example.org')`,
    [id],
  )
  await asOwner(`insert into public.categories (user_id, name, "order") values ($1, 'Old', 2)`, [id])
  await asOwner(`delete from public.categories where name = 'Old'`)
}

/** How many rows of each table belong to a user. Refresh tokens name their owner as text. */
async function countRowsOf(id: string): Promise<Record<string, number>> {
  const [counts] = await asOwner<Record<string, number>>(
    `select (select count(*)::int from auth.users where id = $1) as accounts,
            (select count(*)::int from public.categories where user_id = $1) as categories,
            (select count(*)::int from public.prayers where user_id = $1) as prayers,
            (select count(*)::int from public.sync_state where user_id = $1) as sync_states,
            (select count(*)::int from public.deletions where user_id = $1) as deletions,
            (select count(*)::int from public.encryption_keys where user_id = $1) as encryption_keys,
            (select count(*)::int from public.reminders where user_id = $1) as reminders,
            (select count(*)::int from private.push_subscriptions where user_id = $1) as push_subscriptions,
            (select count(*)::int from private.reminder_deliveries d
             join public.reminders r on r.id = d.reminder_id and r.user_id = $1) as deliveries,
            (select count(*)::int from auth.identities where user_id = $1) as identities,
            (select count(*)::int from auth.sessions where user_id = $1) as sessions,
            (select count(*)::int from auth.refresh_tokens where user_id = $1::text) as refresh_tokens,
            (select count(*)::int from auth.one_time_tokens where user_id = $1) as links`,
    [id],
  )
  return counts ?? {}
}

/** Expects this many rows in each table. */
async function expectRowsOf(id: string, each: number): Promise<void> {
  const counts = await countRowsOf(id)
  expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map((table) => [table, each])))
}

/** Anna with a token whose sign-ins were that many seconds ago, by the database's clock. */
async function annaSignedIn(...secondsAgo: number[]): Promise<Caller> {
  const [row] = await asOwner<{ now: number }>('select floor(extract(epoch from now()))::float8 as now')
  const now = row?.now ?? 0
  const amr = secondsAgo.map((seconds) => ({ method: 'password', timestamp: now - seconds }))
  return { role: 'authenticated', claims: JSON.stringify({ sub: ANNA, role: 'authenticated', amr }) }
}

const remove = (caller: Caller) => run(caller, 'select public.delete_account()')
const preview = (caller: Caller) => valueOf(caller, 'select public.preview_account_deletion() as value')

const SIGN_IN_REQUIRED = { code: 'PT403', message: 'To delete your account, please sign in again first.' }

describe('deleting an account', () => {
  it('deletes all rows of the user, and none of others', async () => {
    await expectRowsOf(ANNA, 1)
    await remove(await annaSignedIn(0))
    await expectRowsOf(ANNA, 0)
    await expectRowsOf(BEN, 1)
  })

  it('requires a sign-in within the last five minutes, whatever the earlier ones were', async () => {
    await remove(await annaSignedIn(90_000, 250))
    await expectRowsOf(ANNA, 0)
  })

  it('is rejected after an older sign-in, and changes nothing', async () => {
    await expect(remove(await annaSignedIn(310))).rejects.toMatchObject(SIGN_IN_REQUIRED)
    await expectRowsOf(ANNA, 1)
  })

  it('is rejected for a token that does not state how its owner signed in', async () => {
    await expect(remove(asAnna)).rejects.toMatchObject(SIGN_IN_REQUIRED)
  })

  describe('with a token that does not state how its owner signed in', () => {
    const SESSION = '7edd06f1-8f04-453d-8175-5181f8c2d4e1'

    /** Anna with such a token of a session that began that many seconds ago. */
    async function annaInSession(owner: string, secondsAgo: number, amr?: unknown): Promise<Caller> {
      await asOwner(
        `insert into auth.sessions (id, user_id, created_at) values ($1, $2, now() - make_interval(secs => $3))`,
        [SESSION, owner, secondsAgo],
      )
      const claims = JSON.stringify({ sub: ANNA, role: 'authenticated', session_id: SESSION, amr })
      return { role: 'authenticated', claims }
    }

    it.each([[undefined], [[]], [['password']], [null]])(
      'is possible after a recent start of the session (amr: %j)',
      async (amr) => {
        await remove(await annaInSession(ANNA, 290, amr))
        await expectRowsOf(ANNA, 0)
      },
    )

    it('shows beforehand that no further sign-in is needed', async () => {
      expect(await preview(await annaInSession(ANNA, 10))).toMatchObject({ signed_in_lately: true })
    })

    it.each([
      ['the session began earlier', ANNA, 310, SIGN_IN_REQUIRED],
      ['the session is not theirs', BEN, 10, { code: 'PT401', message: 'The session has ended' }],
    ])('is rejected if %s', async (_why, owner, secondsAgo, error) => {
      await expect(remove(await annaInSession(owner, secondsAgo))).rejects.toMatchObject(error)
      expect(await countRowsOf(ANNA)).toMatchObject({ accounts: 1 })
    })

    it('is rejected if the token does state an older sign-in', async () => {
      const [row] = await asOwner<{ then: number }>(
        'select floor(extract(epoch from now()))::float8 - 310 as then',
      )
      const amr = [{ method: 'password', timestamp: row?.then ?? 0 }]
      await expect(remove(await annaInSession(ANNA, 10, amr))).rejects.toMatchObject(SIGN_IN_REQUIRED)
    })
  })

  it('requires the recent sign-in in the inner function too', async () => {
    await expect(run(asAnna, 'select private.delete_account_of_caller()')).rejects.toMatchObject(
      SIGN_IN_REQUIRED,
    )
  })

  it('succeeds while other devices write', async () => {
    const caller = await annaSignedIn(0)
    const [category] = await asOwner<{ id: string }>('select id from public.categories where user_id = $1', [
      ANNA,
    ])
    const write = () =>
      run(caller, `insert into public.prayers (category_id, person_name) values ($1, 'Boaz')`, [
        category?.id ?? null,
      ])
    const writes = Array.from({ length: 20 }, write)
    const removal = remove(caller)
    const later = Array.from({ length: 20 }, write)
    const outcomes = await Promise.allSettled([removal, ...writes, ...later])
    expect(outcomes[0]).toMatchObject({ status: 'fulfilled' })
    const failures = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    )
    for (const failure of failures) expect(failure).toMatchObject({ code: '23503' })
    await expectRowsOf(ANNA, 0)
  })

  it('leaves a token that is still valid nothing to read, and no way to add rows', async () => {
    const caller = await annaSignedIn(0)
    await remove(caller)
    for (const table of ['categories', 'prayers'])
      expect(await run(caller, `select * from public.${table}`)).toEqual([])
    const add = run(caller, `insert into public.categories (name, "order") values ('New', 1)`)
    await expect(add).rejects.toMatchObject({ code: '23503' })
  })
})

describe('a sign-in', () => {
  const NOW = '2026-03-01T09:00:00Z'
  const SECONDS = Date.parse(NOW) / 1000

  async function countsAsFresh(amr: unknown): Promise<boolean> {
    const [row] = await asOwner<{ lately: boolean }>('select private.signed_in_lately($1, $2) as lately', [
      JSON.stringify({ amr }),
      NOW,
    ])
    return row?.lately ?? false
  }

  it.each([
    [300, true],
    [301, false],
    [-60, true],
    [-61, false],
  ])('%i seconds ago counts as fresh: %s', async (ago, fresh) => {
    expect(await countsAsFresh([{ method: 'oauth', timestamp: SECONDS - ago }])).toBe(fresh)
  })

  it.each([
    ['renewing the session', [{ method: 'token_refresh', timestamp: SECONDS }]],
    ['a link to set a new password', [{ method: 'recovery', timestamp: SECONDS }]],
    ['a list of names, without times', ['password']],
    ['a time as text', [{ method: 'password', timestamp: String(SECONDS) }]],
    ['no list', 'password'],
    ['nothing', undefined],
  ])('is not shown by %s', async (_what, amr) => {
    expect(await countsAsFresh(amr)).toBe(false)
  })
})

it('counts beforehand what a deletion would remove', async () => {
  expect(await preview(await annaSignedIn(10))).toEqual({ prayers: 1, categories: 1, signed_in_lately: true })
})
