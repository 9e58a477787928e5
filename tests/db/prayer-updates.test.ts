import { beforeEach, describe, expect, it } from 'vitest'
import { ANNA, asAnna, asBen, BEN } from '#tests/support/users.ts'
import { BOAZ, createAccounts, RUTH } from './accounts.ts'

const FIRST = '00000000-0000-4000-8000-0000000000c1'
const SECOND = '00000000-0000-4000-8000-0000000000c2'

const { asOwner, run } = createAccounts({ prayers: true })

const add = (body = 'Better.', id = FIRST, prayer = RUTH, caller = asAnna) =>
  run(
    caller,
    'insert into public.prayer_updates (id, prayer_id, body) values ($1, $2, $3) returning user_id, rev::integer',
    [id, prayer, body],
  )

/** The numbers of Anna's prayers and updates. */
const revs = async () =>
  Object.fromEntries(
    (
      await run<{ name: string; rev: number }>(
        asAnna,
        `select person_name as name, rev::integer from public.prayers
         union all select body, rev::integer from public.prayer_updates`,
      )
    ).map(({ name, rev }) => [name, rev]),
  )

const deletions = () =>
  run(asAnna, 'select table_name, row_id, rev::integer from public.deletions order by rev, row_id')

describe('an update', () => {
  it('belongs to the caller, and has its times', async () => {
    expect(await add()).toEqual([{ user_id: ANNA, rev: 3 }])
    const [row] = await run(asAnna, 'select created_at = updated_at as same from public.prayer_updates')
    expect(row).toEqual({ same: true })
  })

  it.each([
    ['', 'prayer_updates_body_not_empty'],
    [' \n\u00a0', 'prayer_updates_body_not_empty'],
    ['x'.repeat(10_001), 'prayer_updates_body_length'],
  ])('cannot have the text %j', async (body, constraint) => {
    await expect(add(body)).rejects.toMatchObject({ code: '23514', constraint })
  })

  it('is kept as it was written, up to 10,000 characters', async () => {
    for (const [id, body] of [
      [FIRST, '🕊'.repeat(10_000)],
      [SECOND, ' Better.\n'],
    ] as const) {
      await add(body, id)
      expect(await run(asAnna, 'select body from public.prayer_updates where id = $1', [id])).toEqual([
        { body },
      ])
    }
  })

  it('cannot be added to another user’s prayer, nor moved to another prayer or owner', async () => {
    await expect(add('x', FIRST, RUTH, asBen)).rejects.toMatchObject({
      code: '23503',
      constraint: 'prayer_updates_prayer_id_fkey',
    })
    await add()
    await expect(
      run(asAnna, 'update public.prayer_updates set prayer_id = $1', [BOAZ]),
    ).rejects.toMatchObject({
      code: '42501',
      message: 'prayer_id of an update cannot be changed',
    })
    // Not even by the owner of the schema.
    for (const change of [`user_id = '${BEN}'`, `prayer_id = '${BOAZ}'`])
      await expect(asOwner(`update public.prayer_updates set ${change}`)).rejects.toMatchObject({
        code: '42501',
      })
  })

  it('gets the time of its last change, whatever a client sends, and no creation time in the future', async () => {
    await add()
    const [row] = await run(
      asAnna,
      `update public.prayer_updates set updated_at = '2001-01-01', created_at = created_at
       returning updated_at > created_at as later`,
    )
    expect(row).toEqual({ later: true })
    const [added] = await run(
      asAnna,
      `insert into public.prayer_updates (prayer_id, body, created_at) values ($1, 'x', '2999-01-01')
       returning created_at = now() as capped`,
      [RUTH],
    )
    expect(added).toEqual({ capped: true })
  })
})

describe('writing an update raises the number of its prayer', () => {
  it('when it is added, changed and deleted, and of no other prayer', async () => {
    await add()
    expect(await revs()).toEqual({ Ruth: 3, Boaz: 2, 'Better.': 3 })
    await run(asAnna, `update public.prayer_updates set body = 'Well.'`)
    expect(await revs()).toEqual({ Ruth: 4, Boaz: 2, 'Well.': 4 })
    await run(asAnna, 'delete from public.prayer_updates')
    expect(await revs()).toEqual({ Ruth: 5, Boaz: 2 })
  })

  it('once in a transaction', async () => {
    await run(
      asAnna,
      `insert into public.prayer_updates (prayer_id, body) select '${RUTH}', 'x' from generate_series(1, 20)`,
    )
    expect(await revs()).toEqual({ Ruth: 3, Boaz: 2, x: 3 })
    await asOwner(
      'begin; update public.prayer_updates set body = body; update public.prayer_updates set body = body; commit',
    )
    expect(await revs()).toEqual({ Ruth: 4, Boaz: 2, x: 4 })
  })

  it('without changing anything else of it', async () => {
    await run(asAnna, 'select public.mark_prayed($1, $2)', [[RUTH], '2026-03-02'])
    await run(
      asAnna,
      `update public.prayers set resolved = true, answer = 'Yes.', answered_on = '2026-03-03'`,
    )
    const fields = `select to_jsonb(p) - 'rev' as fields from public.prayers p where id = '${RUTH}'`
    const before = await run(asAnna, fields)
    await add()
    expect(await run(asAnna, fields)).toEqual(before)
  })
})

describe('deleting', () => {
  beforeEach(async () => {
    await add()
    await add('Well.', SECOND)
  })

  it('an update is logged, and a late retry of its insert is ignored', async () => {
    await run(asAnna, 'delete from public.prayer_updates where id = $1', [FIRST])
    expect(await deletions()).toEqual([{ table_name: 'prayer_updates', row_id: FIRST, rev: 5 }])
    expect(await add()).toEqual([])
    expect(await run(asAnna, 'select id from public.prayer_updates')).toEqual([{ id: SECOND }])
  })

  it('a prayer deletes its updates, which are not logged', async () => {
    await run(asAnna, 'delete from public.prayers where id = $1', [RUTH])
    expect(await run(asAnna, 'select id from public.prayer_updates')).toEqual([])
    expect(await deletions()).toEqual([{ table_name: 'prayers', row_id: RUTH, rev: 5 }])
    await expect(add()).rejects.toMatchObject({ code: '23503' })
  })

  it('the account deletes them', async () => {
    await asOwner('delete from auth.users where id = $1', [ANNA])
    const rows = await asOwner(
      `select (select count(*)::integer from public.prayer_updates) as updates,
              (select count(*)::integer from public.deletions) as deletions`,
    )
    expect(rows).toEqual([{ updates: 0, deletions: 0 }])
  })
})

it('another user sees no update, and changes none', async () => {
  await add()
  for (const text of [
    'select * from public.prayer_updates',
    `update public.prayer_updates set body = 'x' returning id`,
    'delete from public.prayer_updates returning id',
  ])
    expect(await run(asBen, text)).toEqual([])
  expect(await revs()).toMatchObject({ 'Better.': 3 })
})
