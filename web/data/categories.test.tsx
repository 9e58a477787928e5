import { beforeEach, describe, expect, it } from 'vitest'
import { expectConsoleError } from '#tests/support/console-errors.ts'
import { CATEGORIES, type Category, CATEGORY_HAS_PRAYERS } from './categories.ts'
import { categoryActions, countPrayers } from './category-actions.ts'
import {
  anna,
  connectionLost,
  failure,
  FakeServer,
  family,
  openData,
  openSynced,
} from './user-data.test-data.ts'

const friends: Category = { ...family, id: 'friends', name: 'Friends', order: 2 }
const church: Category = { ...family, id: 'church', name: 'Church', order: 3 }

let server: FakeServer

beforeEach(() => {
  server = new FakeServer()
})

async function openCategories(...categories: readonly Category[]) {
  for (const category of categories) server.put('categories', category)
  const { data, sync } = await openSynced(server)
  const rows = () => sync.rows('categories')
  return { data, sync, actions: categoryActions(data), rows, ids: () => idsOf(rows()) }
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
const sorted = (...categories: readonly Category[]) => idsOf(categories.toSorted(CATEGORIES.compare))

describe('adding a category', () => {
  it.each([
    { existing: [friends, { ...church, order: 7 }], order: 8 },
    { existing: [], order: 1 },
  ])('gives it the highest order number plus one: $order', async ({ existing, order }) => {
    const { sync, actions, rows } = await openCategories(...existing)
    expect(await actions.add('new', 'Neighbours')).toEqual({ success: true })
    expect(rows().at(-1)).toMatchObject({ id: 'new', name: 'Neighbours', order, is_visible: true })
    await sync.syncNow()
    const time = expect.any(String)
    const body = { id: 'new', user_id: 'me', name: 'Neighbours', order, is_visible: true }
    expect(server.changes).toEqual([
      { method: 'POST', path: 'categories', body: { ...body, created_at: time, updated_at: time } },
    ])
  })

  it('waits for the existing ones', async () => {
    server.put('categories', friends)
    const data = openData(server)
    expect(await categoryActions(data).add('new', 'Neighbours')).toEqual({ success: true })
    expect(data.sync()?.rows('categories').at(-1)).toMatchObject({ id: 'new', order: 3 })
  })

  it('is possible before the existing ones could be fetched', async () => {
    server.intercept = connectionLost
    const data = openData(server)
    expect(await categoryActions(data).add('new', 'Neighbours')).toEqual({ success: true })
    expect(data.sync()?.rows('categories')).toMatchObject([{ id: 'new', order: 1 }])
  })
})

describe('updating a category', () => {
  it('sends the changed fields and the time of the change', async () => {
    const { sync, actions, rows } = await openCategories(family, friends)
    expect(await actions.change('family', { is_visible: false })).toEqual({ success: true })
    expect(rows().map(({ is_visible }) => is_visible)).toEqual([false, true])
    await sync.syncNow()
    const body = { is_visible: false, updated_at: expect.any(String) }
    expect(server.changes).toEqual([{ method: 'PATCH', path: 'categories', body }])
  })

  it('keeps the order of this device while a reorder is waiting', async () => {
    const { actions, rows } = await openCategories(family, friends)
    server.intercept = connectionLost
    await actions.reorder(['friends', 'family'])
    await actions.change('family', { name: 'Home' })
    expect(rows()).toMatchObject([{ id: 'friends' }, { id: 'family', name: 'Home' }])
  })
})

describe('deleting a category', () => {
  it('removes it when it has no prayers', async () => {
    server.put('prayers', { ...anna, category_id: 'friends' })
    const { sync, actions, ids } = await openCategories(family, friends)
    expect(await actions.remove('family')).toEqual({ success: true })
    expect(ids()).toEqual(['friends'])
    await sync.syncNow()
    expect(idsOf(server.tables.categories)).toEqual(['friends'])
  })

  it('fails when it is not known whether it has prayers', async () => {
    expectConsoleError('Failed to delete category')
    server.intercept = connectionLost
    const result = await categoryActions(openData(server)).remove('family')
    expect(result).toEqual({ success: false, error: 'Failed to delete category' })
  })

  // The code of such a violation is 23503 up to PostgreSQL 17, and 23001 from 18 on.
  it.each(['23503', '23001'])('is undone when the server finds a prayer in it (%s)', async (code) => {
    expectConsoleError(CATEGORY_HAS_PRAYERS)
    const { data, sync, actions, ids } = await openCategories(family)
    server.intercept = ({ method }) => (method === 'DELETE' ? failure(409, code) : null)
    expect(await actions.remove('family')).toEqual({ success: true })
    await sync.syncNow()
    expect(data.changeError('categories')).toBe(CATEGORY_HAS_PRAYERS)
    expect(ids()).toEqual(['family'])
  })
})

describe('the order of categories', () => {
  it('follows their order numbers', () => {
    expect(sorted(church, family, friends)).toEqual(['family', 'friends', 'church'])
  })

  it('puts the older of two with the same number first, then the one with the lower id', () => {
    const older = { ...friends, id: 'z', created_at: '2020-01-01T00:00:00+00:00' }
    const sameAge = { ...friends, id: 'y', created_at: '2020-01-01T00:00:00.000+00:00' }
    expect(sorted(friends, older, sameAge)).toEqual(['y', 'z', 'friends'])
  })
})

describe('reordering', () => {
  const reordered = (...ids: string[]) =>
    CATEGORIES.calls['reorder_categories']?.apply?.([family, friends, church], { category_ids: ids })

  it('shows at once, so that a dropped row does not jump back', async () => {
    const { actions, ids } = await openCategories(family, friends)
    const result = actions.reorder(['friends', 'family'])
    expect(ids()).toEqual(['friends', 'family'])
    expect(await result).toEqual({ success: true })
  })

  it('renumbers the categories 1..n by the given ids', async () => {
    const { sync, actions, rows } = await openCategories(family, friends, church)
    const category_ids = ['church', 'family', 'friends']
    expect(await actions.reorder(category_ids)).toEqual({ success: true })
    expect(rows().map(({ id, order }) => [id, order])).toEqual([
      ['church', 1],
      ['family', 2],
      ['friends', 3],
    ])
    await sync.syncNow()
    expect(server.changes).toEqual([
      { method: 'POST', path: 'rpc/reorder_categories', body: { category_ids } },
    ])
  })

  it('ignores unknown ids and keeps unlisted categories in their order after the listed ones', () => {
    expect(idsOf(reordered('deleted', 'church') ?? [])).toEqual(['church', 'family', 'friends'])
  })

  it('keeps the object of a category that keeps its number', () => {
    expect(reordered('family', 'church', 'friends')?.[0]).toBe(family)
  })
})

it('counting the prayers of a category waits until all have been received, and rejects if they cannot be fetched', async () => {
  server.put('prayers', anna)
  expect(await countPrayers(await openData(server).opened, 'family')).toBe(1)
  server.intercept = () => failure(503, '57P03', 'starting up')
  await expect(countPrayers(await openData(server).opened, 'family')).rejects.toThrow('starting up')
})

describe('in a browser that stores nothing, a change fails and is undone when the server cannot be reached:', () => {
  type Actions = ReturnType<typeof categoryActions>

  it.each<[string, (actions: Actions) => Promise<unknown>, string]>([
    ['adding', ({ add }) => add('new', 'Neighbours'), 'Failed to add category'],
    ['renaming', ({ change }) => change('family', { name: 'Home' }), 'Failed to update category'],
    ['hiding', ({ change }) => change('family', { is_visible: false }), 'Failed to update category'],
    ['reordering', ({ reorder }) => reorder(['friends', 'family']), 'Failed to reorder categories'],
    ['deleting', ({ remove }) => remove('friends'), 'Failed to delete category'],
  ])('%s', async (_, change, error) => {
    expectConsoleError(error)
    for (const category of [family, friends]) server.put('categories', category)
    const { data, sync } = await openSynced(server, false)
    const before = sync.rows('categories')
    server.intercept = connectionLost
    expect(await change(categoryActions(data))).toEqual({ success: false, error })
    expect(sync.rows('categories')).toEqual(before)
  })
})
