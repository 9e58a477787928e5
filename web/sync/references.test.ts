import { beforeEach, describe, expect, it } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { NO_EVENTS, openDatabase } from './database.ts'
import { connectionLost, failure, FakeServer } from './fake-server.test-data.ts'
import type { NewChange } from './change.ts'
import { deleteOf, insertOf, openTab, prayerRow, updateOf, updateRow, sendChanges } from './sync.test-data.ts'
import type { SyncEngine } from './sync-engine.ts'

// Updates are deleted together with their prayer. The server does not list them among the deletions.

let server: FakeServer
let sync: SyncEngine

beforeEach(async () => {
  stubIndexedDb()
  server = new FakeServer()
  server.put('prayers', prayerRow('anna', 'Exam'))
  server.put('prayers', prayerRow('ben', 'Job'))
  server.put('prayer_updates', updateRow('passed', 'anna', 'She has passed'))
  server.put('prayer_updates', updateRow('hired', 'ben', 'He has a job'))
  sync = await openTab(server)
  await sync.syncNow()
})

const DELETION = deleteOf('prayers', 'anna', { note: 'Exam', answer: null })
const shown = () => sync.rows('prayer_updates').map(({ id }) => id)

function markPrayed(...ids: readonly string[]): NewChange {
  return {
    table: 'prayers',
    kind: 'call',
    name: 'mark_prayed',
    args: { prayer_ids: [...ids], prayed_on: '2026-11-03' },
  }
}

describe('deleting a prayer', () => {
  it('hides its updates at once, and shows them again if it is rejected', async () => {
    await sync.change(DELETION)
    expect(shown()).toEqual(['hired'])
    server.intercept = ({ method }) => (method === 'DELETE' ? failure(403, '42501') : null)
    await sync.syncNow()
    expect(shown()).toEqual(['hired', 'passed'])
  })

  it.each([
    ['here', () => sync.change(DELETION)],
    ['on another device', async () => server.remove('prayers', 'anna')],
  ])('%s removes its updates from this device', async (_where, remove) => {
    await remove()
    await sync.syncNow()
    expect(server.tables.prayers).toHaveLength(1)
    expect(shown()).toEqual(['hired'])
    sync.close()
    sync = await openTab(server, { send: connectionLost })
    await sync.refresh()
    expect(shown()).toEqual(['hired'])
  })

  it('on another device removes its updates from this device, although there was no space for that at first', async () => {
    let full = true
    sync.close()
    sync = await openTab(server, { fails: () => full })
    server.remove('prayers', 'anna')
    await sync.syncNow()
    expect(shown()).toEqual(['hired'])
    full = false
    await sync.syncNow()
    sync.close()
    const storage = await openDatabase('me', NO_EVENTS)
    expect((await storage.read()).rows.map(({ row }) => row.id)).toEqual(['hired', 'ben'])
    storage.close()
  })

  it('is rejected if it has an update that was not received here yet', async () => {
    server.put('prayer_updates', updateRow('moved', 'anna', 'She has moved'))
    await sendChanges(sync, DELETION)
    expect(sync.status().rejected).toMatchObject([{ kind: 'delete', reason: 'conflict' }])
    expect(shown()).toEqual(['hired', 'moved', 'passed'])
  })

  it('is rejected if it has an update that was received after it was deleted', async () => {
    server.intercept = ({ method }) => (method === 'DELETE' ? connectionLost() : null)
    await sync.change(DELETION)
    server.put('prayer_updates', updateRow('passed', 'anna', 'She has passed with an A'))
    await sync.syncNow()
    server.intercept = () => null
    await sync.syncNow()
    expect(sync.status().rejected).toMatchObject([{ kind: 'delete', reason: 'conflict' }])
    expect(server.tables.prayers).toHaveLength(2)
  })

  it('is done after something else has changed, and with an update that was added here', async () => {
    await sync.change(insertOf('prayer_updates', updateRow('moved', 'anna', 'She has moved')))
    await sync.change(DELETION)
    server.put('prayers', { ...prayerRow('anna', 'Exam'), resolved: true })
    server.remove('prayer_updates', 'passed')
    await sync.syncNow()
    expect(server.tables.prayers.map(({ id }) => id)).toEqual(['ben'])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('is done after the database has moved its answer, which was shown, to an update', async () => {
    server.put('prayers', { ...prayerRow('anna', 'Exam'), resolved: true, answer: 'With an A' })
    await sync.syncNow()
    await sync.change(updateOf('prayers', 'anna', { resolved: false }))
    await sync.change(deleteOf('prayers', 'anna', { note: 'Exam', answer: 'With an A' }))
    server.intercept = ({ method, path }) => {
      if (method !== 'PATCH' || path !== 'prayers') return null
      server.put('prayers', { ...prayerRow('anna', 'Exam'), resolved: false })
      server.put('prayer_updates', updateRow('answer', 'anna', 'With an A'))
      return Response.json(server.tables.prayers.filter(({ id }) => id === 'anna'))
    }
    await sync.syncNow()
    expect(server.tables.prayers.map(({ id }) => id)).toEqual(['ben'])
    expect(sync.status().rejected).toEqual([])
  })
})

it('keeps showing a text that the database has moved until the pull that brings it', async () => {
  server.put('prayers', { ...prayerRow('anna', 'Exam'), resolved: true, answer: 'With an A' })
  await sync.syncNow()
  await sync.change(updateOf('prayers', 'anna', { resolved: false }))
  server.intercept = ({ method, path }) => {
    if (path === 'prayer_updates') return connectionLost()
    if (method !== 'PATCH') return null
    server.put('prayers', { ...prayerRow('anna', 'Exam'), resolved: false })
    return Response.json(server.tables.prayers.filter(({ id }) => id === 'anna'))
  }
  await sync.syncNow()
  expect(sync.rows('prayers')[0]).toMatchObject({ resolved: false, answer: 'With an A' })
})

it('a prayer that could not be added takes its updates and prayed days along', async () => {
  server.intercept = ({ method, path }) =>
    method === 'POST' && path === 'prayers' ? failure(403, 'PT413', 'Your account is full') : null
  await sendChanges(
    sync,
    insertOf('prayers', prayerRow('carl', 'Visa')),
    insertOf('prayer_updates', updateRow('applied', 'carl', 'He has applied')),
    markPrayed('carl'),
    markPrayed('carl', 'ben'),
  )
  expect(sync.status().rejected.map(({ table, kind, reason }) => [table, kind, reason])).toEqual([
    ['prayers', 'insert', 'rejected'],
    ['prayers', 'call', 'depends'],
    ['prayer_updates', 'insert', 'depends'],
  ])
  expect(server.changes.map(({ path }) => path)).toEqual(['prayers', 'rpc/mark_prayed'])
})
