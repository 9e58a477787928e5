import { beforeEach, expect, it } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { connectionLost, failure, FakeServer } from './fake-server.test-data.ts'
import { deleteOf, openTab, prayerRow, updateOf, updateRow, sendChanges } from './sync.test-data.ts'
import type { SyncEngine, SyncEngineOptions } from './sync-engine.ts'

// The same text was changed here and on another device, which was faster.

const EDIT = updateOf('prayers', 'anna', { note: 'Passed' }, { note: 'Exam' })
const KEPT = '2026-03-01T09:00:00.000Z: Passed'

let server: FakeServer

beforeEach(() => {
  stubIndexedDb()
  server = new FakeServer()
  server.put('prayers', prayerRow('anna', 'Exam'))
})

async function openOvertaken(options: Parameters<typeof openTab>[1] = {}): Promise<SyncEngine> {
  const sync = await openTab(server, options)
  await sync.syncNow()
  server.put('prayers', prayerRow('anna', 'Operation'))
  return sync
}

async function reopen(sync: SyncEngine, send: SyncEngineOptions['send'] = server.fetch): Promise<SyncEngine> {
  sync.close()
  return openTab(server, { send })
}

const bodies = () => server.tables.prayer_updates.map(({ body }) => body)

it('becomes a dated row of the other table, once, even if responses are lost and the app is closed', async () => {
  let sync = await openOvertaken()
  await sync.change(EDIT)
  const loseResponses: typeof fetch = async (input, init) => {
    await server.fetch(input, init)
    return init?.method === 'POST' ? connectionLost() : server.fetch(input, init)
  }
  for (let starts = 1; starts <= 3; starts += 1) {
    sync = await reopen(sync, loseResponses)
    expect(await sync.syncNow()).toBe(false)
    expect(sync.rows('prayers')).toMatchObject([{ note: 'Operation' }])
    expect(sync.rows('prayer_updates')).toMatchObject([{ prayer_id: 'anna', body: KEPT }])
  }
  sync = await reopen(sync)
  expect(await sync.syncNow()).toBe(true)
  expect(bodies()).toEqual([KEPT])
  expect(sync.rows('prayer_updates')).toEqual(server.tables.prayer_updates)
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
})

it('is kept once if two tabs without a lock send the change at the same time', async () => {
  const sync = await openOvertaken()
  await sync.change(EDIT)
  const other = await openTab(server)
  await Promise.all([sync.syncNow(), other.syncNow()])
  await Promise.all([sync.syncNow(), other.syncNow()])
  expect(bodies()).toEqual([KEPT])
  for (const tab of [sync, other]) expect(tab.status()).toMatchObject({ waiting: 0, rejected: [] })
})

it('keeps each text that has lost', async () => {
  const sync = await openOvertaken()
  server.put('prayers', { ...prayerRow('anna', 'Operation'), answer: 'Went well' })
  await sync.change(
    updateOf('prayers', 'anna', { note: 'Passed', answer: 'With an A' }, { note: 'Exam', answer: null }),
  )
  await sync.syncNow()
  expect(bodies()).toEqual([KEPT, '2026-03-01T09:00:00.000Z: With an A'])
})

it('keeps the text of a row of the other table itself', async () => {
  server.put('prayer_updates', updateRow('news', 'anna', 'Better'))
  const sync = await openOvertaken()
  server.put('prayer_updates', updateRow('news', 'anna', 'Well again'))
  await sendChanges(sync, updateOf('prayer_updates', 'news', { body: 'Passed' }, { body: 'Better' }))
  expect(bodies()).toEqual(['Well again', KEPT])
})

it('keeps nothing of a text that was emptied', async () => {
  const sync = await openOvertaken()
  await sendChanges(sync, updateOf('prayers', 'anna', { note: null }, { note: 'Exam' }))
  expect(server.tables.prayers).toMatchObject([{ note: 'Operation' }])
  expect(bodies()).toEqual([])
  expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
})

it('cannot be saved if the row was deleted meanwhile', async () => {
  const sync = await openOvertaken()
  await sync.change(EDIT)
  server.intercept = ({ method }) => (method === 'POST' ? failure(409, '23503') : null)
  await sync.syncNow()
  expect(sync.status().rejected).toMatchObject([
    { table: 'prayer_updates', kind: 'insert', fields: { prayer_id: 'anna', body: KEPT } },
  ])
})

it('lets the user delete the row afterwards, having seen both texts', async () => {
  const sync = await openOvertaken()
  await sendChanges(sync, EDIT)
  await sync.change(deleteOf('prayers', 'anna', { note: 'Operation' }))
  expect(sync.rows('prayer_updates')).toEqual([])
  await sync.syncNow()
  expect(server.tables).toMatchObject({ prayers: [], prayer_updates: [] })
  expect(sync.status().rejected).toEqual([])
})

it('without space on the disk, is accepted once the server has all of it', async () => {
  let full = false
  const sync = await openOvertaken({ fails: () => full })
  full = true
  let isAccepted = false
  const sentBefore: boolean[] = []
  const made = sync.change(EDIT).then(() => (isAccepted = true))
  await expect.poll(() => sync.status().unsafe).toBe(true)
  server.intercept = ({ method }) => {
    if (method !== 'GET') sentBefore.push(!isAccepted)
    return null
  }
  await sync.syncNow()
  await made
  expect(sentBefore).toEqual([true, true])
  expect(bodies()).toEqual([KEPT])
  expect(sync.status()).toMatchObject({ waiting: 0, unsafe: false })
})

it('without space on the disk, is rejected if the server cannot save all of it', async () => {
  let full = false
  const sync = await openOvertaken({ fails: () => full })
  full = true
  const made = sync.change(EDIT)
  server.intercept = ({ method }) => (method === 'POST' ? connectionLost() : null)
  await Promise.all([expect(made).rejects.toThrow('Failed to fetch'), sync.syncNow()])
  expect(sync.rows('prayers')).toMatchObject([{ note: 'Operation' }])
  expect(sync.rows('prayer_updates')).toEqual([])
})

it.each([
  ['note', EDIT],
  ['update', updateOf('prayer_updates', 'news', { body: 'Passed' }, { body: 'Better' })],
])(
  'without space on the disk, that of a %s is kept once if the response is lost and the form tries again',
  async (_what, edit) => {
    server.put('prayer_updates', updateRow('news', 'anna', 'Better'))
    let full = false
    const sync = await openOvertaken({ fails: () => full })
    server.put('prayer_updates', updateRow('news', 'anna', 'Well again'))
    full = true
    server.intercept = ({ method }) => {
      if (method !== 'POST') return null
      server.put('prayer_updates', updateRow('kept', 'anna', KEPT))
      server.intercept = connectionLost
      return connectionLost()
    }
    await Promise.all([expect(sync.change(edit)).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    server.intercept = () => null
    await Promise.all([sync.change(edit), sync.syncNow()])
    expect(bodies()).toEqual(['Well again', KEPT])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  },
)
