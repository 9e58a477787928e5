import { describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { asAnna, asBen } from '#tests/support/users.ts'
import { createAccounts, FAMILY, RUTH } from './accounts.ts'

const CATEGORY = {
  id: FAMILY,
  name: 'Family',
  order: 1,
  is_visible: true,
  created_at: '2026-01-01T00:00:00+00:00',
  updated_at: '2026-01-01T00:00:00+00:00',
}

/** A prayer as exported by version 1 of the file. */
const OLD_PRAYER = {
  id: RUTH,
  category_id: FAMILY,
  person_name: 'Ruth',
  note: null,
  resolved: true,
  created_at: '2026-02-01T00:00:00+00:00',
}

const PRAYER = {
  ...OLD_PRAYER,
  due_on: '2026-02-10',
  due_repeats: 'monthly',
  pray_days: 127,
  resting_until: '2026-02-05',
  answered_on: '2026-03-01',
  answer: 'Yes.',
  updates: [
    { ...update('c2', 'Well.', '2026-02-03T00:00:00.000002+00:00'), answered_on: '2026-02-02' },
    update('c1', 'Better.', '2026-02-02T00:00:00.000001+00:00'),
  ],
  prayed_days: ['2026-02-01', '2026-02-02', '2026-02-04'],
}

const NOTHING = { categories_added: 0, prayers_added: 0, updates_added: 0, prayed_days_added: 0 }

const { run, valueOf } = createAccounts()

function update(id: string, body: string, time: string) {
  return { id: `00000000-0000-4000-8000-0000000000${id}`, body, created_at: time, updated_at: time }
}

const importInto = (caller: Caller, prayers: readonly unknown[], preview = false) =>
  valueOf(caller, 'select public.import_prayers($1, $2) as value', [
    JSON.stringify({ categories: [CATEGORY], prayers }),
    preview,
  ])

/** Imports the prayers that one account has exported into another, or the same. */
async function copyPrayers(from: Caller, to: Caller): Promise<unknown> {
  const file = await valueOf(from, 'select public.export_account() as value')
  return valueOf(to, 'select public.import_prayers($1, false) as value', [JSON.stringify(file)])
}

/** The caller's prayers as exported. */
const prayersOf = (caller: Caller) => valueOf(caller, `select public.export_account() -> 'prayers' as value`)

it('an export and import keep all columns, updates and days, and the counts follow from the days', async () => {
  expect(await importInto(asAnna, [PRAYER])).toMatchObject({
    prayers_added: 1,
    updates_added: 2,
    prayed_days_added: 3,
  })
  const { id: _id, category_id: _category, updates, ...fields } = PRAYER
  expect(await prayersOf(asAnna)).toMatchObject([
    {
      ...fields,
      last_prayed_on: '2026-02-04',
      times_prayed: 3,
      updates: updates.map(({ id: _update, ...rest }) => rest),
    },
  ])
})

it('counts in the file are not trusted', async () => {
  await importInto(asAnna, [{ ...PRAYER, times_prayed: 99, last_prayed_on: '2026-03-01' }])
  expect(await prayersOf(asAnna)).toMatchObject([{ times_prayed: 3, last_prayed_on: '2026-02-04' }])
})

it('a file of version 1 is imported, and the date of an answer stays unknown', async () => {
  expect(await importInto(asAnna, [OLD_PRAYER])).toMatchObject({ prayers_added: 1, updates_added: 0 })
  expect(await prayersOf(asAnna)).toMatchObject([
    { resolved: true, answered_on: null, answer: null, times_prayed: 0, updates: [], prayed_days: [] },
  ])
})

it('a file of version 2 is imported, and its dates do not repeat', async () => {
  const { due_repeats: _unknown, ...prayer } = PRAYER
  expect(await importInto(asAnna, [prayer])).toMatchObject({ prayers_added: 1, prayed_days_added: 3 })
  expect(await prayersOf(asAnna)).toMatchObject([{ due_on: '2026-02-10', due_repeats: null }])
})

it('a day in the future becomes tomorrow', async () => {
  await importInto(asAnna, [{ ...PRAYER, prayed_days: ['2999-01-01', 'infinity'] }])
  expect(await prayersOf(asAnna)).toMatchObject([{ times_prayed: 1 }])
})

describe('importing again', () => {
  it('adds nothing, also into the account that the file was exported from', async () => {
    await importInto(asAnna, [PRAYER])
    expect(await importInto(asAnna, [PRAYER])).toMatchObject(NOTHING)
    const exported = await prayersOf(asAnna)
    expect(await copyPrayers(asAnna, asAnna)).toMatchObject({ ...NOTHING, prayers_known: 1 })
    expect(await prayersOf(asAnna)).toEqual(exported)
  })

  it('adds the updates and days that the prayer lacks, and changes nothing else', async () => {
    await importInto(asAnna, [{ ...PRAYER, updates: PRAYER.updates.slice(1), prayed_days: ['2026-02-03'] }])
    await run(asAnna, `update public.prayers set answer = 'Yes, today.', due_on = null`)
    await run(asAnna, `update public.prayer_updates set body = 'Much better.'`)
    const preview = await importInto(asAnna, [PRAYER], true)
    expect(preview).toMatchObject({ ...NOTHING, updates_added: 1, prayed_days_added: 3 })
    expect(await importInto(asAnna, [PRAYER])).toEqual(preview)
    expect(await prayersOf(asAnna)).toMatchObject([
      {
        due_on: null,
        answer: 'Yes, today.',
        times_prayed: 4,
        last_prayed_on: '2026-02-04',
        updates: [{ body: 'Well.' }, { body: 'Much better.' }],
        prayed_days: ['2026-02-01', '2026-02-02', '2026-02-03', '2026-02-04'],
      },
    ])
    expect(await importInto(asAnna, [PRAYER])).toMatchObject(NOTHING)
  })

  it('recognises a prayer and its updates by their content', async () => {
    await importInto(asAnna, [PRAYER])
    const copy = {
      ...PRAYER,
      id: FAMILY,
      updates: PRAYER.updates.map((each, index) => update(`e${String(index)}`, each.body, each.created_at)),
    }
    expect(await importInto(asAnna, [copy])).toMatchObject(NOTHING)
  })

  it('adds updates again that were deleted', async () => {
    await importInto(asAnna, [PRAYER])
    const before = await prayersOf(asAnna)
    await run(asAnna, 'delete from public.prayer_updates')
    expect(await importInto(asAnna, [PRAYER])).toMatchObject({ updates_added: 2 })
    expect(await prayersOf(asAnna)).toEqual(before)
    expect(await valueOf(asAnna, 'select count(*)::integer as value from public.deletions')).toBe(0)
  })

  it.each([
    ['an update', { prayed_days: [] }],
    ['a day', { updates: [] }],
  ])('raises the number of a prayer that gets %s', async (_what, lists) => {
    await importInto(asAnna, [{ ...PRAYER, updates: [], prayed_days: [] }])
    await importInto(asAnna, [{ ...PRAYER, ...lists }])
    const latest = 'select p.rev = s.rev as value from public.prayers p, public.sync_state s'
    expect(await valueOf(asAnna, latest)).toBe(true)
  })
})

it('another account gets its own copies, and the first keeps its own', async () => {
  await importInto(asAnna, [PRAYER])
  const annas = await prayersOf(asAnna)
  await copyPrayers(asAnna, asBen)
  expect(await prayersOf(asBen)).toMatchObject([{ times_prayed: 3, updates: [{ body: 'Well.' }, {}] }])
  expect(await prayersOf(asAnna)).toEqual(annas)
})

describe('what is invalid changes nothing:', () => {
  it.each([
    ['an update without text', { updates: [update('c1', ' ', '2026-02-02T00:00:00Z')] }, '23514'],
    ['an update without an id', { updates: [{ body: 'x', created_at: '2026-02-02T00:00:00Z' }] }, '23502'],
    ['updates that are not a list', { updates: 'none' }, '22023'],
    ['a day that is not one', { prayed_days: ['soon'] }, '22007'],
    ['a day without a value', { prayed_days: [null] }, '23502'],
    ['a date that repeats in an unknown way', { due_repeats: 'weekly' }, '23514'],
    ['an answer of an open prayer', { resolved: false }, '23514'],
  ])('%s', async (_what, fields, code) => {
    await expect(importInto(asAnna, [{ ...PRAYER, ...fields }])).rejects.toMatchObject({ code })
    expect(await prayersOf(asAnna)).toEqual([])
  })
})
