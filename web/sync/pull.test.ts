import { beforeEach, describe, expect, it } from 'vitest'
import { PAGE_SIZE } from '#shared/limits.ts'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { NO_EVENTS, openDatabase } from './database.ts'
import { connectionLost, failure, FakeServer } from './fake-server.test-data.ts'
import {
  categoryRow,
  deleteOf,
  insertOf,
  openTab,
  prayerRow,
  reorderOf,
  updateOf,
  updateRow,
} from './sync.test-data.ts'
import type { SyncEngine } from './sync-engine.ts'

let server: FakeServer
let requests: URL[]
/** Delays a request on its way to the server. */
let beforeRequest: (url: URL) => Promise<void>
/** Delays a response that the server has made. */
let afterResponse: (url: URL, method: string) => Promise<void>

const send: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  requests.push(url)
  await beforeRequest(url)
  const response = await server.fetch(input, init)
  await afterResponse(url, init?.method ?? 'GET')
  return response
}

beforeEach(() => {
  stubIndexedDb()
  server = new FakeServer()
  server.put('categories', categoryRow('family', 'Family', 1))
  server.put('prayers', prayerRow('anna', 'Exam'))
  server.put('prayers', prayerRow('ben', 'Job'))
  requests = []
  beforeRequest = async () => {}
  afterResponse = async () => {}
})

async function synced(): Promise<SyncEngine> {
  const sync = await openTab(server, { send })
  await sync.syncNow()
  requests = []
  return sync
}

const notes = (sync: SyncEngine) => sync.rows('prayers').map(({ note }) => note)

const tablesOf = (sent: readonly URL[]) => sent.map(({ pathname }) => pathname.replace('/rest/v1/', ''))

describe('the first time', () => {
  /** Delays the request for the state until the returned function is called: all others are handled before. */
  function holdState(): () => void {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    beforeRequest = async ({ pathname }) => {
      if (pathname.endsWith('sync_state')) await released
    }
    return release
  }
  const firstRows = (sync: SyncEngine) =>
    new Promise<void>((resolve) => {
      sync.subscribe(() => {
        if (sync.rows('prayers').length > 0) resolve()
      })
    })

  it('asks for the state and the first rows side by side, shows these, and fetches everything with the specified requests', async () => {
    const release = holdState()
    const sync = await openTab(server, { send })
    const round = sync.syncNow()
    await firstRows(sync)
    expect(notes(sync)).toEqual(['Exam', 'Job'])
    expect(tablesOf(requests)).toEqual(['sync_state', 'categories', 'prayers', 'prayer_updates'])
    expect(sync.status().complete).toBe(false)
    release()
    expect(await round).toBe(true)
    expect(sync.status().complete).toBe(true)
    expect(tablesOf(requests.slice(4))).toEqual(['categories', 'prayers', 'prayer_updates'])
    expect(requests[5]?.search).toContain('order=id.asc')
    expect(requests[5]?.search).toBe(requests[2]?.search)
  })

  it('misses nothing that is written after the first rows were read, but before the state', async () => {
    const release = holdState()
    const sync = await openTab(server, { send })
    const round = sync.syncNow()
    await firstRows(sync)
    server.remove('prayers', 'ben')
    server.put('prayers', prayerRow('carl', 'Visa'))
    release()
    expect(await round).toBe(true)
    expect(notes(sync)).toEqual(['Exam', 'Visa'])
    expect(notes(await openTab(server, { send: connectionLost }))).toEqual(['Exam', 'Visa'])
  })

  it('does not bring back what was deleted, if rows of a failed round arrive after the next one', async () => {
    const sync = await openTab(server, { send })
    let deliver = () => {}
    const delivered = new Promise<void>((resolve) => (deliver = resolve))
    server.intercept = ({ path }) => (path === 'sync_state' ? connectionLost() : null)
    afterResponse = () => delivered
    expect(await sync.syncNow()).toBe(false)
    server.intercept = () => null
    afterResponse = async () => {}
    server.remove('prayers', 'ben')
    expect(await sync.syncNow()).toBe(true)
    deliver()
    await sync.syncNow()
    expect(notes(sync)).toEqual(['Exam'])
  })

  it('shows no prayer without its updates', async () => {
    server.put('prayer_updates', updateRow('passed', 'anna', 'She has passed'))
    const sync = await openTab(server, { send })
    const shown = new Set<string>()
    sync.subscribe(() => {
      shown.add(`${String(sync.rows('prayers').length)}, ${String(sync.rows('prayer_updates').length)}`)
    })
    await sync.syncNow()
    expect([...shown]).toEqual(['0, 0', '2, 1'])
  })
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
  expect(requests.filter(({ search }) => search.includes('rev=gt.4&rev=lte.6'))).toHaveLength(4)
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

it('fetches everything, and keeps what another tab has sent meanwhile: the server may lose it', async () => {
  const sync = await synced()
  const sendChanges: typeof fetch = (input, init) =>
    init?.method === 'GET' ? connectionLost() : server.fetch(input, init)
  const other = await openTab(server, { send: sendChanges })
  server.remove('prayers', 'ben')
  const restore = server.backUp()
  server.forgetDeletions()
  let isSent = false
  afterResponse = async ({ pathname }) => {
    if (!pathname.endsWith('prayer_updates') || isSent) return
    isSent = true
    await other.change(insertOf('prayers', prayerRow('carl', 'Visa')))
    await other.change(updateOf('prayers', 'anna', { note: 'Exam on Monday' }, { note: 'Exam' }))
    await other.syncNow()
  }
  expect(await sync.syncNow()).toBe(true)
  expect(isSent).toBe(true)
  expect(notes(sync)).toEqual(['Exam on Monday', 'Visa'])
  restore()
  await sync.syncNow()
  await sync.syncNow()
  expect(server.tables.prayers).toHaveLength(2)
  expect(notes(sync)).toEqual(['Exam on Monday', 'Visa'])
})

describe('a database that an older version of the app has filled', () => {
  /** That version knew neither updates nor some columns of prayers, and did not write its format. */
  async function openOld(): Promise<SyncEngine> {
    const storage = await openDatabase('me', NO_EVENTS)
    const { due_on: _unknown, answer: _too, ...row } = prayerRow('anna', 'Exam')
    const cursor = { rev: 5, epoch: 'first' }
    await storage.commit({ put: [{ table: 'prayers', row }], cursor }, await storage.version())
    storage.close()
    server.put('prayer_updates', updateRow('passed', 'anna', 'She has passed'))
    return openTab(server, { send })
  }

  it('shows its rows without a connection', async () => {
    server.intercept = connectionLost
    const sync = await openOld()
    expect(await sync.syncNow()).toBe(false)
    expect(sync.rows('prayers')).toEqual([prayerRow('anna', 'Exam')])
    expect(sync.status().complete).toBe(true)
  })

  it('gets all rows again, once', async () => {
    const sync = await openOld()
    await sync.syncNow()
    expect(notes(sync)).toEqual(['Exam', 'Job'])
    expect(sync.rows('prayer_updates')).toMatchObject([{ body: 'She has passed' }])
    requests = []
    await sync.syncNow()
    expect(requests).toHaveLength(1)
  })

  it('still notices that the server was restored, and takes no missing column for a lost text', async () => {
    const sync = await openOld()
    server.restore()
    server.put('categories', categoryRow('family', 'Family', 1))
    server.put('prayers', prayerRow('anna', 'Exam'))
    await sync.syncNow()
    expect(sync.status().rejected).toEqual([])
    expect(notes(sync)).toEqual(['Exam'])
  })
})

describe('more rows than the server returns at once', () => {
  const many = Array.from({ length: PAGE_SIZE + 1 }, (_, index) =>
    prayerRow(`carl-${String(index).padStart(4, '0')}`, null),
  )
  const ids = many.map(({ id }) => id)
  const idsOf = (sync: SyncEngine) => sync.rows('prayers').map(({ id }) => id)
  const pagesOf = (table: string) => requests.filter(({ pathname }) => pathname.endsWith(table)).length

  it('are all fetched at first, also if some are deleted meanwhile', async () => {
    server.putAll('prayers', many)
    afterResponse = async () => {
      // The first page is requested twice.
      if (pagesOf('prayers') !== 2) return
      server.removeAll('prayers', ['anna', 'ben'])
      afterResponse = async () => {}
    }
    const sync = await synced()
    expect(idsOf(sync)).toEqual(['anna', 'ben', ...ids])
    await sync.syncNow()
    expect(idsOf(sync)).toEqual(ids)
  })

  it('show page by page, the last one before it is stored', async () => {
    server.putAll('prayers', many)
    const sync = await openTab(server)
    const shown = new Set<number>()
    sync.subscribe(() => {
      if (!sync.status().complete) shown.add(idsOf(sync).length)
    })
    await sync.syncNow()
    expect([...shown]).toEqual([0, PAGE_SIZE, PAGE_SIZE + 3])
  })

  it('are all fetched when one transaction has changed them', async () => {
    const sync = await synced()
    server.putAll('prayers', many)
    await sync.syncNow()
    expect(idsOf(sync)).toEqual(['anna', 'ben', ...ids])
    expect(pagesOf('prayers')).toBe(2)
  })

  it('are all deleted when one transaction has deleted them', async () => {
    server.putAll('prayers', many)
    const sync = await synced()
    server.removeAll('prayers', ids)
    await sync.syncNow()
    expect(idsOf(sync)).toEqual(['anna', 'ben'])
    expect(pagesOf('deletions')).toBe(2)
  })

  it('are all received when the second page arrives at the second attempt', async () => {
    const sync = await synced()
    server.putAll('prayers', many)
    server.intercept = ({ path }) =>
      path === 'prayers' && pagesOf('prayers') === 2 ? connectionLost() : null
    expect(await sync.syncNow()).toBe(false)
    expect(idsOf(sync)).toEqual(['anna', 'ben'])
    expect(await sync.syncNow()).toBe(true)
    expect(idsOf(sync)).toEqual(['anna', 'ben', ...ids])
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

it('does not bring back what another tab has received as deleted', async () => {
  const sync = await synced()
  const other = await openTab(server)
  server.put('prayers', prayerRow('carl', 'Visa'))
  let isOvertaken = false
  afterResponse = async ({ pathname }) => {
    if (!pathname.endsWith('deletions') || isOvertaken) return
    isOvertaken = true
    server.remove('prayers', 'carl')
    await other.syncNow()
  }
  expect(await sync.syncNow()).toBe(true)
  expect(isOvertaken).toBe(true)
  expect(notes(sync)).toEqual(['Exam', 'Job'])
  expect(notes(await openTab(server, { send: connectionLost }))).toEqual(['Exam', 'Job'])
})

describe('while the response to a change is on its way', () => {
  /** Runs once, after the server has handled the first request with the method. */
  const meanwhile = (expected: string, work: () => Promise<unknown>) => {
    afterResponse = async (_url, method) => {
      if (method !== expected) return
      afterResponse = async () => {}
      await work()
    }
  }

  it('a row that another tab has received as deleted stays deleted', async () => {
    const sync = await synced()
    const other = await openTab(server)
    await sync.change(updateOf('prayers', 'anna', { resolved: true }))
    meanwhile('PATCH', () => {
      server.remove('prayers', 'anna')
      return other.syncNow()
    })
    await sync.syncNow()
    expect(notes(sync)).toEqual(['Job'])
  })

  it('a row that another tab has received as added again stays', async () => {
    const sync = await synced()
    const other = await openTab(server)
    await sync.change(deleteOf('prayers', 'anna', { note: 'Exam' }))
    meanwhile('DELETE', () => {
      server.put('prayers', prayerRow('anna', 'Operation'))
      return other.syncNow()
    })
    await sync.syncNow()
    expect(notes(sync)).toEqual(['Operation', 'Job'])
  })

  it('a server that is restored from a backup gets the change again', async () => {
    const sync = await synced()
    const other = await openTab(server)
    await sync.change(insertOf('categories', categoryRow('new', 'Neighbours', 3)))
    meanwhile('POST', async () => {
      server.restore()
      server.intercept = ({ method }) => (method === 'POST' ? failure(503, '57P03') : null)
      await other.syncNow()
      server.intercept = () => null
    })
    await sync.syncNow()
    expect(server.tables.categories).toMatchObject([{ name: 'Family' }, { name: 'Neighbours' }])
  })
})

it('sends a change again if the server was restored from a backup before the change was received', async () => {
  const sync = await synced()
  await sync.change(reorderOf('family'))
  afterResponse = async ({ pathname }) => {
    if (!pathname.endsWith('sync_state') || server.changes.length !== 1) return
    afterResponse = async () => {}
    server.restore()
  }
  await sync.syncNow()
  await sync.syncNow()
  const calls = server.changes.filter(({ path }) => path.startsWith('rpc/'))
  expect(calls.map(({ path }) => path)).toEqual(['rpc/reorder_categories', 'rpc/reorder_categories'])
})
