import { beforeEach, describe, expect, it } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { connectionLost, FakeServer } from './fake-server.test-data.ts'
import { categoryRow, openTab, prayerRow, updateOf } from './sync.test-data.ts'
import type { Sync } from './sync.ts'

let server: FakeServer
let requests: URL[]

const send: typeof fetch = async (input, init) => {
  requests.push(new URL(input instanceof Request ? input.url : input))
  return server.fetch(input, init)
}

beforeEach(() => {
  stubIndexedDb()
  server = new FakeServer()
  server.put('categories', categoryRow('family', 'Family', 1))
  server.put('prayers', prayerRow('anna', 'Exam'))
  server.put('prayers', prayerRow('ben', 'Job'))
  requests = []
})

async function synced(): Promise<Sync> {
  const sync = await openTab(server, { send })
  await sync.syncNow()
  requests = []
  return sync
}

const notes = (sync: Sync) => sync.rows('prayers').map(({ note }) => note)

it('fetches everything at first, in the order of the specified requests', async () => {
  const sync = await openTab(server, { send })
  expect(sync.status().complete).toBe(false)
  expect(await sync.syncNow()).toBe(true)
  expect(sync.status().complete).toBe(true)
  expect(notes(sync)).toEqual(['Exam', 'Job'])
  expect(requests.map(({ pathname }) => pathname.replace('/rest/v1/', ''))).toEqual([
    'sync_state',
    'categories',
    'prayers',
  ])
  expect(requests[2]?.search).toContain('order=id.asc')
})

it('asks for nothing else if nothing has changed', async () => {
  const sync = await synced()
  await sync.syncNow()
  expect(requests).toHaveLength(1)
})

it('fetches only what has changed since, and what was deleted', async () => {
  const sync = await synced()
  const [anna] = sync.rows('prayers')
  server.put('prayers', prayerRow('carl', 'Visa'))
  server.remove('prayers', 'ben')
  await sync.syncNow()
  expect(notes(sync)).toEqual(['Exam', 'Visa'])
  expect(sync.rows('prayers')[0]).toBe(anna)
  expect(requests.filter(({ search }) => search.includes('rev=gt.4&rev=lte.6'))).toHaveLength(3)
})

it('has the same rows after a restart', async () => {
  const sync = await synced()
  sync.close()
  expect(notes(await openTab(server, { send: connectionLost }))).toEqual(['Exam', 'Job'])
})

it('keeps what it has if it cannot fetch everything', async () => {
  const sync = await synced()
  server.put('prayers', prayerRow('carl', 'Visa'))
  server.intercept = ({ path }) => (path === 'deletions' ? connectionLost() : null)
  expect(await sync.syncNow()).toBe(false)
  expect(notes(sync)).toEqual(['Exam', 'Job'])
  server.intercept = () => null
  expect(await sync.syncNow()).toBe(true)
  expect(notes(sync)).toEqual(['Exam', 'Job', 'Visa'])
})

it('fetches everything if the server has forgotten deletions, and keeps no copy of what was deleted', async () => {
  const sync = await synced()
  server.remove('prayers', 'ben')
  server.forgetDeletions()
  await sync.syncNow()
  expect(notes(sync)).toEqual(['Exam'])
  expect(sync.status().rejected).toEqual([])
})

describe('a server that was restored from a backup', () => {
  it('has what it lost offered to the user, but not what was deleted', async () => {
    const sync = await synced()
    server.restore()
    server.put('categories', categoryRow('family', 'Relatives', 1))
    server.remove('prayers', 'ben')
    await sync.syncNow()
    expect(sync.status().rejected).toMatchObject([
      { reason: 'restored', table: 'categories', kind: 'update', fields: { name: 'Family' } },
      { reason: 'restored', table: 'prayers', kind: 'insert', row: 'anna', fields: { note: 'Exam' } },
    ])
    expect(sync.rows('categories')).toMatchObject([{ name: 'Relatives' }])
    expect(notes(sync)).toEqual([])
  })

  it('gets it back if the user wants', async () => {
    const sync = await synced()
    server.restore()
    await sync.syncNow()
    for (const { id } of sync.status().rejected) await sync.tryAgain(id)
    await sync.syncNow()
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
    expect(notes(sync)).toEqual(['Exam', 'Job'])
  })

  it('is not asked to forget what waits', async () => {
    const sync = await synced()
    await sync.change(updateOf('prayers', 'anna', { note: 'Passed' }, { note: 'Exam' }))
    server.intercept = ({ method }) => (method === 'PATCH' ? connectionLost() : null)
    server.restore()
    await sync.syncNow()
    expect(sync.status()).toMatchObject({ waiting: 1 })
    expect(sync.status().rejected).toMatchObject([{ row: 'family' }, { row: 'anna' }, { row: 'ben' }])
  })
})

it('discards what it has fetched if another tab was faster, and fetches again', async () => {
  const sync = await synced()
  const other = await openTab(server)
  server.put('prayers', prayerRow('carl', 'Visa'))
  let isFirst = true
  const racing: Promise<boolean>[] = []
  server.intercept = ({ path }) => {
    if (path !== 'deletions' || !isFirst) return null
    isFirst = false
    server.put('prayers', prayerRow('dora', 'Move'))
    racing.push(other.syncNow())
    return null
  }
  expect(await sync.syncNow()).toBe(true)
  expect(await Promise.all(racing)).toEqual([true])
  await Promise.all([sync.refresh(), other.refresh()])
  expect(notes(sync)).toEqual(['Exam', 'Job', 'Visa', 'Move'])
  expect(notes(other)).toEqual(notes(sync))
})
