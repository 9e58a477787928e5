import { beforeEach, expect, it, vi } from 'vitest'
import { anna, FakeServer, family, openSynced } from './user-data.test-data.ts'
import { prayerListActions } from './prayer-lists.ts'
import { samplePrayer } from './sample-rows.test-data.ts'

let server: FakeServer

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T12:00:00Z') })
  server = new FakeServer()
  server.put('categories', family)
  server.put('prayers', anna)
})

async function open() {
  const { data, sync } = await openSynced(server)
  return {
    actions: prayerListActions(data),
    names: () => sync.rows('prayers').map(({ person_name }) => person_name),
    categories: () => sync.rows('categories').map(({ name }) => name),
    sync,
  }
}

const PRAYERS = [
  { id: 'ben', person_name: 'Ben', note: 'a new job' },
  { id: 'clara', person_name: 'Clara', note: null },
]

it('adds prayers in the order in which lists show them, and takes them back', async () => {
  const { actions, names, categories, sync } = await open()
  const list = { category: { id: 'family', newName: null }, prayers: PRAYERS }
  expect(await actions.add([list])).toEqual({ success: true })
  expect(names()).toEqual(['Ben', 'Clara', 'Anna'])
  await sync.syncNow()
  expect(server.tables.prayers).toContainEqual(
    expect.objectContaining({ id: 'ben', category_id: 'family', note: 'a new job', resolved: false }),
  )
  expect(await actions.takeBack([list])).toEqual({ success: true })
  expect(names()).toEqual(['Anna'])
  expect(categories()).toEqual(['Family'])
  await sync.syncNow()
  expect(server.tables.prayers.map(({ id }) => id)).toEqual(['anna'])
})

it('adds a category with them, and takes it back with them unless another prayer is in it', async () => {
  const { actions, names, categories, sync } = await open()
  const list = { category: { id: 'church', newName: 'Church' }, prayers: PRAYERS }
  await actions.add([list])
  expect(categories()).toEqual(['Family', 'Church'])
  await sync.syncNow()
  await actions.takeBack([list])
  expect(categories()).toEqual(['Family'])
  await sync.syncNow()
  expect(server.tables.categories.map(({ id }) => id)).toEqual(['family'])

  const again = { ...list, category: { id: 'street', newName: 'Street' } }
  await actions.add([again])
  server.put('prayers', samplePrayer({ id: 'dan', category_id: 'street', person_name: 'Dan' }))
  await sync.syncNow()
  await actions.takeBack([again])
  expect(names().toSorted()).toEqual(['Anna', 'Dan'])
  expect(categories()).toEqual(['Family', 'Street'])
})

it('adds several lists, new categories in their order, and shows a hidden one again', async () => {
  server.put('categories', { ...family, id: 'street', name: 'Street', is_visible: false })
  const { actions, names, categories, sync } = await open()
  const isStreetVisible = () => sync.rows('categories').find(({ id }) => id === 'street')?.is_visible
  const listOf = (id: string, newName: string | null, isHidden = false) => ({
    category: { id, newName, isHidden },
    prayers: [{ id: `in-${id}`, person_name: `In ${id}`, note: null }],
  })
  const lists = [listOf('work', 'Work'), listOf('street', null, true), listOf('church', 'Church')]
  expect(await actions.add(lists)).toEqual({ success: true })
  expect(names()).toEqual(['In work', 'In street', 'In church', 'Anna'])
  expect(categories().filter((name) => name !== 'Street')).toEqual(['Family', 'Work', 'Church'])
  expect(isStreetVisible()).toBe(true)
  await sync.syncNow()
  expect(sync.status().rejected).toEqual([])
  await actions.takeBack(lists)
  expect([names(), isStreetVisible()]).toEqual([['Anna'], false])
  expect(categories()).toHaveLength(2)
})

it('adds prayers once, however often it is repeated', async () => {
  const { actions, names, sync } = await open()
  const list = { category: { id: 'family', newName: null }, prayers: PRAYERS }
  for (let times = 0; times < 2; times += 1) await actions.add([list])
  await sync.syncNow()
  expect(names()).toEqual(['Ben', 'Clara', 'Anna'])
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
})

it('moves prayers that still exist to another category', async () => {
  server.put('prayers', samplePrayer({ id: 'ben', note: 'a new job' }))
  const { actions, sync } = await open()
  await actions.move(['anna', 'ben', 'gone'], 'church')
  expect(sync.rows('prayers').map(({ category_id }) => category_id)).toEqual(['church', 'church'])
  await sync.syncNow()
  const change = { method: 'PATCH', path: 'prayers', body: { category_id: 'church' } }
  expect(server.changes).toEqual([change])
  expect(server.tables.prayers.map((prayer) => prayer['category_id'])).toEqual(['church', 'church'])
})
