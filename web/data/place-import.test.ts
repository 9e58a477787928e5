import { expect, it } from 'vitest'
import type { ExportedCategory, ExportedPrayer } from './account-data.ts'
import { placeImport } from './place-import.ts'
import { sampleCategory, samplePrayer, sampleUpdate } from './sample-rows.test-data.ts'

const USER = '00000000-0000-4000-8000-00000000000a'
const OTHER_TIME = '2025-05-05T05:05:05+00:00'

const category = (id: string, name: string): ExportedCategory => sampleCategory({ id, name })
const prayer = (id: string, category_id: string, others: Partial<ExportedPrayer> = {}): ExportedPrayer => ({
  ...samplePrayer({ id, category_id }),
  updates: [],
  prayed_days: [],
  ...others,
})
const empty = { categories: [], prayers: [], updates: [], prayedDays: {} }

it('gives new rows ids of the account, as the database does, and adds nothing twice', () => {
  const update = sampleUpdate({ id: '3', prayer_id: '2', body: 'Better' })
  const file = {
    categories: [category('1', 'Family')],
    prayers: [prayer('2', '1', { updates: [update], prayed_days: ['2026-01-01', '2026-01-01'] })],
  }
  const { rows, counts } = placeImport(file, empty, USER)
  // select encode(substr(sha256(convert_to('00000000-0000-4000-8000-00000000000a:1', 'UTF8')), 1, 16), 'hex')::uuid
  expect(rows.categories.map(({ id }) => id)).toEqual(['83fdb79c-ec0b-e186-fac5-0fbdbbd1aa87'])
  expect(counts).toMatchObject({
    categories_added: 1,
    prayers_added: 1,
    updates_added: 1,
    prayed_days_added: 1,
  })
  const [added] = rows.prayers
  if (!added) throw new Error('The prayer was not added.')
  expect(added.category_id).toBe(rows.categories[0]?.id)
  const own = {
    categories: rows.categories.map((each) => sampleCategory(each)),
    prayers: [samplePrayer(added)],
    updates: added.updates.map((each) => sampleUpdate({ ...each, prayer_id: added.id })),
    prayedDays: { [added.id]: added.prayed_days },
  }
  const again = placeImport(file, own, USER)
  expect(again.rows).toEqual({ categories: [], prayers: [] })
  expect(again.counts).toEqual({
    categories_added: 0,
    categories_known: 1,
    prayers_added: 0,
    prayers_known: 1,
    updates_added: 0,
    prayed_days_added: 0,
  })
})

it('recognises categories by their names, and prayers by person, note and time, each once', () => {
  const own = {
    ...empty,
    categories: [sampleCategory({ id: 'mine', name: 'Family' })],
    prayers: [samplePrayer({ id: 'own', category_id: 'mine' })],
  }
  const file = {
    categories: [category('1', ' Family ')],
    prayers: [prayer('2', '1'), prayer('3', '1'), prayer('4', '1', { created_at: OTHER_TIME })],
  }
  const { rows, counts } = placeImport(file, own, USER)
  expect(counts).toMatchObject({ categories_known: 1, prayers_known: 1, prayers_added: 2 })
  expect(rows.prayers.map(({ category_id }) => category_id)).toEqual(['mine', 'mine'])
})

it('adds to a prayer that is known what it lacks', () => {
  const own = {
    ...empty,
    categories: [sampleCategory({ id: 'mine', name: 'Family' })],
    prayers: [samplePrayer({ id: 'own', category_id: 'mine' })],
    updates: [sampleUpdate({ id: 'known', prayer_id: 'own', body: 'Better' })],
    prayedDays: { own: ['2026-01-01'] },
  }
  const updates = [sampleUpdate({ id: '5', body: 'Better' }), sampleUpdate({ id: '6', body: 'Well' })]
  const file = {
    categories: [category('mine', 'Family')],
    prayers: [prayer('own', 'mine', { updates, prayed_days: ['2026-01-01', '2026-01-02'] })],
  }
  const { rows, counts } = placeImport(file, own, USER)
  expect(counts).toMatchObject({ prayers_known: 1, updates_added: 1, prayed_days_added: 1 })
  expect(rows.prayers).toMatchObject([
    { id: 'own', updates: [{ body: 'Well' }], prayed_days: ['2026-01-02'] },
  ])
})

it('rejects a prayer whose category is not in the file', () => {
  expect(() => placeImport({ categories: [], prayers: [prayer('2', '1')] }, empty, USER)).toThrow('category')
})
