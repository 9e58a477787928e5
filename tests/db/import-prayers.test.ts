import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Caller } from '#server/db/request-scope.ts'
import { asAnna, asBen } from '#tests/support/users.ts'
import { createAccounts } from './accounts.ts'

interface Category {
  id: string
  name: string
  order: number
  is_visible: boolean
  created_at: string
  updated_at: string
}
interface Update {
  id: string
  body: string
  created_at: string
  updated_at: string
}
interface Prayer {
  id: string
  category_id: string
  person_name: string
  note: string | null
  note_changed_at?: string | null
  resolved: boolean
  created_at: string
  answer?: string | null
  updates?: Update[]
  prayed_days?: string[]
}
interface Data {
  categories: Category[]
  prayers: Prayer[]
}
interface Counts {
  categories_added: number
  categories_known: number
  prayers_added: number
  prayers_known: number
  updates_added: number
  prayed_days_added: number
}

const { renew, run, valueOf } = createAccounts()

const importInto = (caller: Caller, data: unknown, preview = false) =>
  valueOf<Counts>(caller, 'select public.import_prayers($1, $2) as value', [JSON.stringify(data), preview])

async function exportOf(caller: Caller): Promise<Data> {
  const { categories, prayers } = await valueOf<Data>(caller, 'select public.export_account() as value')
  return { categories, prayers }
}

function category(name: string, given: Partial<Category> = {}): Category {
  return {
    id: randomUUID(),
    name,
    order: 1,
    is_visible: true,
    created_at: '2026-01-01T00:00:00.000001+00:00',
    updated_at: '2026-01-02T00:00:00+00:00',
    ...given,
  }
}

function prayer(category_id: string, person_name: string, given: Partial<Prayer> = {}): Prayer {
  return {
    id: randomUUID(),
    category_id,
    person_name,
    note: null,
    resolved: false,
    created_at: '2026-02-01T00:00:00.000001+00:00',
    ...given,
  }
}

/** Categories with their prayers, in their order, without the ids, which differ between accounts. */
function contentOf({ categories, prayers }: Data): unknown {
  return categories.map(({ id, order: _order, ...kept }) => ({
    ...kept,
    prayers: prayers
      .filter((each) => each.category_id === id)
      .map(({ id: _id, category_id: _category, updates = [], ...fields }) =>
        JSON.stringify([
          fields,
          updates.map(({ id: _update, ...update }) => JSON.stringify(update)).toSorted(),
        ]),
      )
      .toSorted(),
  }))
}

describe('an import', () => {
  it('keeps names, notes, times, order, and what is resolved or hidden', async () => {
    const [family, church] = [
      category('Family', { order: 7 }),
      category('Church', { order: 2, is_visible: false }),
    ]
    const data = {
      categories: [family, church],
      prayers: [prayer(family.id, 'Ruth', { note: 'a note', resolved: true }), prayer(church.id, 'Boaz')],
    }
    expect(await importInto(asAnna, data)).toMatchObject({
      categories_added: 2,
      categories_known: 0,
      prayers_added: 2,
      prayers_known: 0,
    })
    const stored = await exportOf(asAnna)
    expect(stored.categories).toMatchObject([
      { name: 'Church', order: 1, is_visible: false, created_at: church.created_at },
      { name: 'Family', order: 2, is_visible: true, updated_at: family.updated_at },
    ])
    const [boaz, ruth] = stored.prayers.toSorted((a, b) => (a.person_name < b.person_name ? -1 : 1))
    expect(ruth).toMatchObject({
      note: 'a note',
      resolved: true,
      created_at: '2026-02-01T00:00:00.000001+00:00',
    })
    expect(boaz).toMatchObject({ note: null, resolved: false })
    expect([boaz?.category_id, ruth?.category_id]).toEqual(stored.categories.map(({ id }) => id))
  })

  it('adds new categories after the existing ones', async () => {
    await importInto(asAnna, { categories: [category('Mine', { order: 5 })], prayers: [] })
    await importInto(asAnna, { categories: [category('Theirs', { order: 1 })], prayers: [] })
    expect((await exportOf(asAnna)).categories).toMatchObject([
      { name: 'Mine', order: 1 },
      { name: 'Theirs', order: 2 },
    ])
  })

  it('restores deleted rows in the same account, and does not change existing ones', async () => {
    const family = category('Family')
    await importInto(asAnna, {
      categories: [family],
      prayers: [prayer(family.id, 'Ruth'), prayer(family.id, 'Boaz')],
    })
    const file = await exportOf(asAnna)
    await run(
      asAnna,
      `with removed as (delete from public.prayers where person_name = 'Boaz')
       update public.prayers set person_name = 'Ruth Amsel', resolved = true where person_name = 'Ruth'`,
    )
    await run(asAnna, `update public.categories set name = 'Kin'`)
    expect(await importInto(asAnna, file)).toMatchObject({
      categories_added: 0,
      categories_known: 1,
      prayers_added: 1,
      prayers_known: 1,
    })
    const { categories, prayers } = await exportOf(asAnna)
    expect(categories).toMatchObject([{ name: 'Kin' }])
    expect(new Map(prayers.map((each) => [each.person_name, each.resolved]))).toEqual(
      new Map([
        ['Boaz', false],
        ['Ruth Amsel', true],
      ]),
    )
  })

  it('of another account’s file assigns new ids, and does not change the other account', async () => {
    const family = category('Family')
    await importInto(asAnna, { categories: [family], prayers: [prayer(family.id, 'Ruth')] })
    const annas = await exportOf(asAnna)
    expect(await importInto(asBen, annas)).toMatchObject({ categories_added: 1, prayers_added: 1 })
    const bens = await exportOf(asBen)
    expect(contentOf(bens)).toEqual(contentOf(annas))
    expect(bens.prayers[0]?.id).not.toBe(annas.prayers[0]?.id)
    expect(bens.categories[0]?.id).not.toBe(annas.categories[0]?.id)
    expect(await exportOf(asAnna)).toEqual(annas)
  })

  it('recognises what it added before, even if it was renamed or edited', async () => {
    const family = category('Family')
    const file = { categories: [family], prayers: [prayer(family.id, 'Ruth')] }
    await importInto(asBen, file)
    await run(asBen, `update public.categories set name = 'Kin'`)
    await run(asBen, `update public.prayers set note = 'more'`)
    expect(await importInto(asBen, file)).toMatchObject({ categories_added: 0, prayers_added: 0 })
  })

  it('adds prayers to an existing category of the same name', async () => {
    await run(asBen, `insert into public.categories (name, "order") values ('Family', 1)`)
    const family = category('  Family ')
    expect(
      await importInto(asBen, { categories: [family], prayers: [prayer(family.id, 'Ruth')] }),
    ).toMatchObject({
      categories_added: 0,
      categories_known: 1,
      prayers_added: 1,
      prayers_known: 0,
    })
    const { categories, prayers } = await exportOf(asBen)
    expect(prayers).toMatchObject([{ category_id: categories[0]?.id }])
  })

  it('treats prayers with the same name, time and note, if any, as the same prayer', async () => {
    const family = category('Family')
    const prayers = [prayer(family.id, 'Ruth'), prayer(family.id, 'Ruth', { note: 'a note' })]
    await importInto(asAnna, { categories: [family], prayers })
    const renumbered = prayers.map(({ note }) => prayer(family.id, ' Ruth', { note }))
    const later = prayer(family.id, 'Ruth', { created_at: '2026-02-01T00:00:00.000002+00:00' })
    expect(await importInto(asAnna, { categories: [family], prayers: [...renumbered, later] })).toMatchObject(
      { prayers_added: 1, prayers_known: 2 },
    )
  })

  it('adds as many of several identical prayers as are missing', async () => {
    const family = category('Family')
    const twin = () => prayer(family.id, 'Ruth')
    await importInto(asAnna, { categories: [family], prayers: [twin()] })
    expect(
      await importInto(asAnna, { categories: [family], prayers: [twin(), twin(), twin()] }),
    ).toMatchObject({ prayers_added: 2, prayers_known: 1 })
  })

  it('changes nothing in a preview', async () => {
    const family = category('Family')
    const file = { categories: [family], prayers: [prayer(family.id, 'Ruth')] }
    const preview = await importInto(asAnna, file, true)
    expect(await exportOf(asAnna)).toEqual({ categories: [], prayers: [] })
    expect(await importInto(asAnna, file)).toEqual(preview)
  })

  it('adds rows once when it is sent twice at the same time', async () => {
    const family = category('Family')
    const file = {
      categories: [family],
      prayers: Array.from({ length: 50 }, (_, index) => prayer(family.id, `Ruth ${String(index)}`)),
    }
    const counts = await Promise.all([importInto(asAnna, file), importInto(asAnna, file)])
    expect(counts.map((count) => count.prayers_added).toSorted((a, b) => a - b)).toEqual([0, 50])
    expect((await exportOf(asAnna)).prayers).toHaveLength(50)
  })
})

describe('an import of invalid data changes nothing:', () => {
  const family = category('Family')
  const good = prayer(family.id, 'Ruth')

  it.each([
    ['not an object', 'text', '22023'],
    ['no lists', { categories: {}, prayers: [] }, '22023'],
    ['a prayer without its category', { categories: [], prayers: [good] }, '22023'],
    ['an empty name', { categories: [family], prayers: [good, prayer(family.id, ' ')] }, '23514'],
    ['a name that is too long', { categories: [category('x'.repeat(101))], prayers: [] }, '23514'],
    [
      'a note that is too long',
      { categories: [family], prayers: [prayer(family.id, 'Ruth', { note: 'x'.repeat(10_001) })] },
      '23514',
    ],
    ['an id twice', { categories: [family], prayers: [good, { ...good, note: 'another' }] }, '23505'],
    ['an invalid id', { categories: [{ ...family, id: 'one' }], prayers: [] }, '22P02'],
    ['an invalid time', { categories: [family], prayers: [{ ...good, created_at: 'soon' }] }, '22007'],
    ['a missing field', { categories: [{ id: family.id, name: 'Family' }], prayers: [] }, '23502'],
  ])('%s', async (_what, data, code) => {
    await expect(importInto(asAnna, data)).rejects.toMatchObject({ code })
    expect(await exportOf(asAnna)).toEqual({ categories: [], prayers: [] })
  })
})

const NOTHING = { categories_added: 0, prayers_added: 0, updates_added: 0, prayed_days_added: 0 }

describe('arbitrary data', () => {
  const words = (maxLength: number) =>
    fc.string({ unit: 'grapheme', minLength: 1, maxLength }).map((text) => `.${text}`)
  const time = fc
    .integer({ min: 0, max: 2_000_000_000_000_000 })
    .map(
      (micros) =>
        `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)}${String(micros % 1000).padStart(3, '0')}+00:00`,
    )
  const day = fc
    .integer({ min: 0, max: 20_000 })
    .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10))
  const anyData: fc.Arbitrary<Data> = fc
    .uniqueArray(
      fc.record({
        id: fc.uuid(),
        name: words(20),
        order: fc.integer({ min: 1, max: 2_147_483_647 }),
        is_visible: fc.boolean(),
        pray_days: fc.option(fc.integer({ min: 1, max: 127 })),
        created_at: time,
        updated_at: time,
      }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
    )
    .chain((categories) =>
      fc.record({
        categories: fc.constant(categories),
        prayers: fc.uniqueArray(
          fc
            .record({
              id: fc.uuid(),
              category_id: fc.constantFrom(...categories.map(({ id }) => id)),
              person_name: fc.constantFrom('Ruth', 'Boaz', 'Naomi'),
              note: fc.option(words(40)),
              note_changed_at: fc.option(time),
              created_at: time,
              date: fc.option(
                fc.record({ due_on: day, due_repeats: fc.constantFrom(null, 'monthly', 'yearly') }),
              ),
              pray_days: fc.option(fc.integer({ min: 1, max: 127 })),
              resting_until: fc.option(day),
              updates: fc.array(
                fc.record({ id: fc.uuid(), body: words(40), created_at: time, updated_at: time }),
                { maxLength: 3 },
              ),
              prayed_days: fc.uniqueArray(day, { maxLength: 4 }),
            })
            .map(({ date, ...fields }) => Object.assign(fields, date ?? { due_on: null, due_repeats: null }))
            .chain((fields) =>
              fc
                .option(fc.record({ answered_on: fc.option(day), answer: fc.option(words(40)) }))
                .map((answered) =>
                  Object.assign(fields, answered ?? { answered_on: null, answer: null }, {
                    resolved: answered !== null,
                  }),
                ),
            ),
          { selector: ({ id }) => id, maxLength: 8 },
        ),
      }),
    )

  it('is the same after export and import, and after importing it again', async () => {
    await fc.assert(
      fc.asyncProperty(anyData, async (data) => {
        await renew()
        await importInto(asAnna, data)
        const annas = await exportOf(asAnna)
        expect(await importInto(asAnna, annas)).toMatchObject(NOTHING)
        await importInto(asBen, annas)
        const bens = await exportOf(asBen)
        expect(contentOf(bens)).toEqual(contentOf(annas))
        expect(await importInto(asBen, annas)).toMatchObject(NOTHING)
        expect(await importInto(asAnna, bens)).toMatchObject(NOTHING)
        expect([await exportOf(asAnna), await exportOf(asBen)]).toEqual([annas, bens])
      }),
      { numRuns: 100, seed: 20260301 },
    )
  })
})
