import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { waitForLocks } from '#tests/support/database.ts'
import { ANNA, asAnna, asBen } from '#tests/support/users.ts'
import { BOAZ, createAccounts, FAMILY, RUTH } from './accounts.ts'

const accounts = createAccounts({ prayers: true })
const { asOwner, inTransaction, run } = accounts

const ADD_PRAYERS = 'insert into public.prayers (id, category_id, person_name)'

const rowRevs = async () =>
  Object.fromEntries(
    (
      await run<{ id: string; rev: number }>(
        asAnna,
        'select row_id as id, row_rev::integer as rev from public.deletions',
      )
    ).map(({ id, rev }) => [id, rev]),
  )

const deletionsOf = (caller: Caller) =>
  run(caller, 'select table_name, row_id, rev::integer from public.deletions order by rev, row_id')

const remove = (id: string) => run(asAnna, 'delete from public.prayers where id = $1', [id])

/** Adds Ruth's prayer again. Resolves to the row that the database returns, if any. */
const addRuth = (caller: Caller = asAnna, category = FAMILY) =>
  run<{ rev: string }>(caller, `${ADD_PRAYERS} values ('${RUTH}', $1, 'Ruth') returning rev`, [category])

describe('a deletion', () => {
  it('is logged with the number of its transaction, for its owner only', async () => {
    await run(asAnna, 'delete from public.prayers')
    await run(asAnna, 'delete from public.categories')
    expect(await deletionsOf(asAnna)).toEqual([
      { table_name: 'prayers', row_id: RUTH, rev: 3 },
      { table_name: 'prayers', row_id: BOAZ, rev: 3 },
      { table_name: 'categories', row_id: FAMILY, rev: 4 },
    ])
    expect(await deletionsOf(asBen)).toEqual([])
  })

  it('has the number of the row as it was, which tells whether the newest text was deleted', async () => {
    await run(asAnna, `update public.prayers set note = 'Newer' where id = $1`, [RUTH])
    await run(asAnna, `insert into public.prayer_updates (prayer_id, body) values ($1, 'Newest')`, [BOAZ])
    await run(asAnna, 'delete from public.prayers')
    await run(asAnna, 'delete from public.categories')
    expect(await rowRevs()).toEqual({ [RUTH]: 3, [BOAZ]: 4, [FAMILY]: 1 })
  })

  it('is not logged if it is rejected or finds no row', async () => {
    await expect(run(asAnna, 'delete from public.categories')).rejects.toMatchObject({
      code: expect.stringMatching(/^23(503|001)$/),
    })
    await run(asBen, 'delete from public.prayers')
    await run(asAnna, 'delete from public.prayers where id = $1', [FAMILY])
    expect(await deletionsOf(asAnna)).toEqual([])
  })

  it('by an administrator is logged for the owner of the row', async () => {
    await asOwner('delete from public.prayers')
    expect(await deletionsOf(asAnna)).toMatchObject([{ rev: 3 }, { rev: 3 }])
  })
})

it('deleting the account leaves no state and no deletions, even in a transaction that has deleted rows before', async () => {
  await asOwner(`begin; delete from public.prayers; delete from auth.users where id = '${ANNA}'; commit`)
  const [left] = await asOwner(
    `select (select count(*)::integer from public.sync_state) as states,
            (select count(*)::integer from public.deletions) as deletions`,
  )
  expect(left).toEqual({ states: 0, deletions: 0 })
})

describe('an insert of a deleted row', () => {
  beforeEach(() => remove(RUTH))

  it('is ignored', async () => {
    expect(await addRuth()).toEqual([])
    const upsert = `${ADD_PRAYERS} values ('${RUTH}', $1, 'Ruth') on conflict (id) do update set note = 'x' returning id`
    expect(await run(asAnna, upsert, [FAMILY])).toEqual([])
    expect(await run(asAnna, 'select person_name from public.prayers')).toEqual([{ person_name: 'Boaz' }])
    expect(await deletionsOf(asAnna)).toEqual([{ table_name: 'prayers', row_id: RUTH, rev: 3 }])
  })

  it('is ignored for that row only', async () => {
    const id = '00000000-0000-4000-8000-0000000000a5'
    const rows = await run(
      asAnna,
      `${ADD_PRAYERS} values ('${RUTH}', $2, 'Ruth'), ($1, $2, 'Naomi') returning person_name`,
      [id, FAMILY],
    )
    expect(rows).toEqual([{ person_name: 'Naomi' }])
  })

  it('is ignored when the deletion is committed while it waits', async () => {
    let insert: Promise<unknown> = Promise.resolve()
    await inTransaction(asAnna, async (client) => {
      await client.query(`delete from public.prayers where id = '${BOAZ}'`)
      insert = run(asAnna, `${ADD_PRAYERS} values ('${BOAZ}', $1, 'Boaz') returning id`, [FAMILY])
      await waitForLocks(accounts.database.pool, 1)
    })
    expect(await insert).toEqual([])
  })

  it('succeeds for another user, in another table, and for an administrator', async () => {
    const [bens] = await run<{ id: string }>(
      asBen,
      `insert into public.categories (id, name, "order") values ('${RUTH}', 'Mine', 1) returning id`,
    )
    expect(await addRuth(asBen, bens?.id)).toHaveLength(1)
    await run(asBen, 'delete from public.prayers')
    await asOwner(
      `insert into public.prayers (id, user_id, category_id, person_name) values ('${RUTH}', '${ANNA}', '${FAMILY}', 'Ruth')`,
    )
    expect(await deletionsOf(asAnna)).toEqual([])
    expect(await deletionsOf(asBen)).toMatchObject([{ row_id: RUTH }])
  })

  it('is not ignored in an import, which removes the deletions of the rows that it recreates', async () => {
    const category = {
      id: FAMILY,
      name: 'Family',
      order: 1,
      is_visible: true,
      created_at: 'now',
      updated_at: 'now',
    }
    const prayers = ['Naomi', 'Orpah'].map((name, index) => ({
      id: `00000000-0000-4000-8000-0000000000b${String(index)}`,
      category_id: FAMILY,
      person_name: name,
      resolved: false,
      created_at: '2026-01-01Z',
    }))
    const importInto = (rows: readonly unknown[]) =>
      run(asAnna, 'select public.import_prayers($1, false)', [
        JSON.stringify({ categories: [category], prayers: rows }),
      ])
    const idOf = async (name: string) =>
      (await run<{ id: string }>(asAnna, 'select id from public.prayers where person_name = $1', [name]))[0]
        ?.id
    await importInto(prayers)
    const [naomi, orpah] = [await idOf('Naomi'), await idOf('Orpah')]
    await run(asAnna, `delete from public.prayers where person_name in ('Naomi', 'Orpah')`)
    await importInto(prayers.slice(0, 1))
    expect(await idOf('Naomi')).toBe(naomi)
    expect((await deletionsOf(asAnna)).map((row) => row['row_id'])).toEqual([RUTH, orpah])
    expect(await addRuth()).toEqual([])
  })
})

describe('old deletions', () => {
  const counts = `select (select count(*)::integer from public.deletions) as kept,
                         (select floor::integer from public.sync_state) as floor,
                         (select deletions from private.account_usage where user_id = '${ANNA}') as counted`

  /** As if Anna had deleted that many rows, each in a transaction of its own. */
  async function pretendDeleted(count: number): Promise<void> {
    await asOwner(`
      insert into public.deletions (user_id, table_name, row_id, rev, row_rev)
      select '${ANNA}', 'prayers', gen_random_uuid(), n, n from generate_series(1, ${String(count)}) n;
      update public.sync_state set rev = ${String(count)};
      update private.account_usage set deletions = ${String(count)} where user_id = '${ANNA}'`)
  }

  it('are kept up to 21,000', async () => {
    await pretendDeleted(20_999)
    await remove(RUTH)
    expect(await asOwner(counts)).toEqual([{ kept: 21_000, floor: 0, counted: 21_000 }])
  })

  it('are dropped beyond that, except the newest 20,000, which raises the floor', async () => {
    await pretendDeleted(21_000)
    await remove(RUTH)
    expect(await asOwner(counts)).toEqual([{ kept: 20_000, floor: 1001, counted: 20_000 }])
    expect(await asOwner('select min(rev)::integer as oldest from public.deletions')).toEqual([
      { oldest: 1002 },
    ])
    await remove(BOAZ)
    expect(await asOwner(counts)).toEqual([{ kept: 20_001, floor: 1001, counted: 20_001 }])
  })

  it('are dropped quickly although the statistics are from when there was a single one', async () => {
    await pretendDeleted(1)
    await asOwner('analyze public.deletions; delete from public.deletions')
    await pretendDeleted(21_000)
    await remove(RUTH)
    expect(await asOwner(counts)).toEqual([{ kept: 20_000, floor: 1001, counted: 20_000 }])
  })

  it('are kept if there are fewer, because imports have recreated rows', async () => {
    await pretendDeleted(500)
    await asOwner('update private.account_usage set deletions = 21_000')
    await remove(RUTH)
    expect(await asOwner(counts)).toEqual([{ kept: 501, floor: 0, counted: 501 }])
  })
})
