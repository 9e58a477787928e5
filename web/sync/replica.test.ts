import { IDBDatabase } from 'fake-indexeddb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { isRecord } from '#shared/is-record.ts'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { fieldsOf } from './change.ts'
import { NO_EVENTS, openDatabase } from './database.ts'
import { connectionLost, FakeServer } from './fake-server.test-data.ts'
import { requireRow } from './server.ts'
import {
  categoryRow,
  deleteOf,
  insertOf,
  openTab,
  prayerRow,
  sendChanges,
  updateOf,
  updateRow,
} from './sync.test-data.ts'
import { memoryStorage, type Commit } from './storage.ts'
import { FEW_ROWS, type SyncEngine } from './sync-engine.ts'

const NEW = insertOf('categories', categoryRow('new', 'Neighbours', 2))

let server: FakeServer

beforeEach(() => {
  stubIndexedDb()
  server = new FakeServer()
  server.put('categories', categoryRow('family', 'Family', 1))
})

const isFull = () => true
const names = (sync: Awaited<ReturnType<typeof openTab>>) => sync.rows('categories').map(({ name }) => name)

it('shows a change at once, and keeps it for the next start', async () => {
  const sync = await openTab(server)
  const made = sync.change(NEW)
  expect(names(sync)).toEqual(['Neighbours'])
  expect(sync.status()).toMatchObject({ waiting: 1, unsafe: true })
  await made
  expect(sync.status()).toMatchObject({ waiting: 1, unsafe: false, waitingSince: '2026-03-01T09:00:00.000Z' })
  sync.close()
  expect(names(await openTab(server))).toEqual(['Neighbours'])
})

it('shows the changes of other tabs in the order in which they were stored', async () => {
  const [first, second] = [await openTab(server), await openTab(server)]
  await first.change(NEW)
  await second.change(updateOf('categories', 'new', { name: 'Street' }))
  await first.change(updateOf('categories', 'new', { name: 'Town' }))
  await second.refresh()
  expect(names(first)).toEqual(['Town'])
  expect(names(second)).toEqual(['Town'])
  expect(second.status().waiting).toBe(3)
})

it('calls back when a change can be sent, and after every write', async () => {
  const [onPending, onCommit] = [vi.fn<() => void>(), vi.fn<(committed: Commit) => void>()]
  const sync = await openTab(server, { onPending, onCommit })
  await sync.change(NEW)
  await expect.poll(() => onPending.mock.calls).toHaveLength(1)
  expect(onCommit.mock.calls).toMatchObject([[{ seqs: [1], batch: { addChanges: [{ row: 'new' }] } }]])
})

it('stores several changes in one step', async () => {
  const committed: Commit[] = []
  const sync = await openTab(server, { onCommit: (each) => committed.push(each) })
  await sync.change(NEW, insertOf('prayers', prayerRow('ruth', null)), deleteOf('categories', 'new'))
  expect(committed.map(({ seqs }) => seqs)).toEqual([[1, 2, 3]])
  expect(names(sync)).toEqual([])
  expect(names(await openTab(server))).toEqual([])
})

describe('what another tab commits', () => {
  let commits: Commit[]
  let reads: number

  async function openTwo(): Promise<[SyncEngine, SyncEngine]> {
    commits = []
    reads = 0
    const first = await openTab(server, { onCommit: (committed) => commits.push(structuredClone(committed)) })
    const storage = await openDatabase('me', NO_EVENTS)
    const read: typeof storage.read = (tables) => {
      reads += 1
      return storage.read(tables)
    }
    const second = await openTab(server, { storage: { ...storage, read } })
    reads = 0
    return [first, second]
  }
  const followAll = async (sync: SyncEngine, followed = commits.splice(0)) => {
    for (const committed of followed) await sync.follow(committed)
  }

  it('shows without reading the storage', async () => {
    const [first, second] = await openTwo()
    await first.syncNow()
    await first.change(NEW)
    await first.change(deleteOf('categories', 'family'))
    await followAll(second)
    expect(names(second)).toEqual(['Neighbours'])
    expect(second.status()).toMatchObject({ waiting: 2, complete: true })
    await first.syncNow()
    await followAll(second)
    expect(second.status()).toMatchObject({ waiting: 0 })
    expect(second.rows('categories')).toEqual(first.rows('categories'))
    expect(reads).toBe(0)
    expect(await second.syncNow()).toBe(true)
    expect(server.changes).toHaveLength(2)
  })

  it('is read from the storage if an earlier message was lost, or comes later', async () => {
    const [first, second] = await openTwo()
    for (const name of ['A', 'B', 'C']) await first.change(updateOf('categories', 'family', { name }))
    await first.change(NEW)
    const [one, two, three, four] = commits
    await followAll(
      second,
      [two, one, four, three].filter((each) => each !== undefined),
    )
    expect(names(second)).toEqual(['Neighbours'])
    expect(second.status().waiting).toBe(4)
    expect(reads).toBe(1)
  })

  it('is not mixed with what this page has not stored', async () => {
    const [first] = await openTwo()
    const apart = await openTab(server, { storage: memoryStorage() })
    await first.change(NEW)
    await followAll(apart)
    expect(apart.rows('categories')).toEqual([])
  })
})

/** A start with as many updates on the device. */
async function startWith(count: number) {
  const updates = Array.from({ length: count }, (_, index) =>
    updateRow(`update-${String(index)}`, 'anna', 'x'),
  )
  server.put('prayers', prayerRow('anna', null))
  server.putAll('prayer_updates', updates)
  await (await openTab(server)).syncNow()
  return openTab(server)
}

it('has read a usual number of updates when the first screen shows', async () => {
  const sync = await startWith(1)
  expect(sync.hasRead('prayer_updates')).toBe(true)
  expect(sync.rows('prayer_updates')).toHaveLength(1)
})

it('reads very many updates later, with the changes that were made meanwhile', async () => {
  const sync = await startWith(FEW_ROWS + 1)
  expect(sync.rows('prayers')).toHaveLength(1)
  expect(sync.hasRead('prayers')).toBe(true)
  expect([sync.hasRead('prayer_updates'), sync.rows('prayer_updates')]).toEqual([false, []])
  await sync.change(insertOf('prayer_updates', updateRow('new', 'anna', 'She has passed')))
  const prayers = sync.rows('prayers')
  await sync.refresh()
  expect(sync.hasRead('prayer_updates')).toBe(true)
  expect(sync.rows('prayer_updates')).toHaveLength(FEW_ROWS + 2)
  expect(sync.rows('prayers')).toBe(prayers)
})

it('reads everything again if another tab writes while it reads very many updates', async () => {
  await startWith(FEW_ROWS + 1)
  const storage = await openDatabase('me', NO_EVENTS)
  const version = async () => {
    const before = await storage.version()
    await storage.commit({ put: [{ table: 'categories', row: categoryRow('new', 'Neighbours', 2) }] }, before)
    return before
  }
  const sync = await openTab(server, { storage: { ...storage, version } })
  await sync.refresh()
  expect(names(sync)).toEqual(['Family', 'Neighbours'])
  expect(sync.rows('prayer_updates')).toHaveLength(FEW_ROWS + 1)
})

describe('very many updates that could not be read yet', () => {
  async function startUnread() {
    await startWith(FEW_ROWS + 1)
    const storage = await openDatabase('me', NO_EVENTS)
    let reads = 0
    const read: typeof storage.read = (tables) => {
      reads += 1
      // The first one is for the first screen, the next ones are those of the round before it receives anything.
      return reads === 2 || reads === 3
        ? Promise.reject(new Error('The database does not respond.'))
        : storage.read(tables)
    }
    return openTab(server, { storage: { ...storage, read } })
  }

  it('are deleted with their prayer', async () => {
    const sync = await startUnread()
    server.remove('prayers', 'anna')
    await sync.syncNow()
    const { rows } = await (await openDatabase('me', NO_EVENTS)).read()
    expect(rows.map(({ row }) => row.id)).toEqual(['family'])
  })

  it('keep their prayer if whoever deletes it has not seen them', async () => {
    const sync = await startUnread()
    await sync.change(deleteOf('prayers', 'anna', { note: null, answer: null }))
    await sync.syncNow()
    expect(sync.status().rejected).toMatchObject([{ reason: 'conflict' }])
    expect(server.tables.prayers).toHaveLength(1)
  })

  it('are sent again to a server that has lost them', async () => {
    const restoreBackup = server.backUp()
    const sync = await startUnread()
    restoreBackup()
    await sync.syncNow()
    expect(server.tables.prayer_updates).toHaveLength(FEW_ROWS + 1)
  })
})

describe('when the user deletes the data of the site while the page is open', () => {
  /** The browser closes the connections, and opens another database. */
  function deleteSiteData(): void {
    stubIndexedDb()
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('The database connection is closing.', 'InvalidStateError')
    })
  }
  const OTHER = updateOf('categories', 'gone', { name: 'x' })

  it('stores again what the server does not have, but not the rows', async () => {
    const sync = await openTab(server)
    await sync.change(OTHER)
    await sync.syncNow()
    await sync.change(NEW)
    deleteSiteData()
    await sync.refresh()
    expect(sync.status()).toMatchObject({ waiting: 1, unsafe: false, rejected: [{ row: 'gone' }] })
    sync.close()
    const storage = await openDatabase('me', NO_EVENTS)
    const { rows, outbox, rejected } = await storage.read()
    storage.close()
    expect(rows).toEqual([])
    expect(outbox).toMatchObject([{ change: { row: 'new' } }])
    expect(rejected).toMatchObject([{ row: 'gone' }])
  })

  it.each([
    ['a lower number', 0.5, 0],
    ['a higher number', 0, 0.5],
  ])(
    'stores it again, although another page has written to a database that begins with %s',
    async (_which, before, after) => {
      const random = vi.spyOn(Math, 'random').mockReturnValue(before)
      const sync = await openTab(server)
      await sync.change(NEW)
      stubIndexedDb()
      random.mockReturnValue(after)
      await (await openTab(server)).change(OTHER)
      vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
        throw new DOMException('The database connection is closing.', 'InvalidStateError')
      })
      await sync.refresh()
      expect((await openTab(server)).status().waiting).toBe(2)
    },
  )

  it('stores it once, and sends it, if several tabs are open', async () => {
    const [first, second] = [await openTab(server), await openTab(server)]
    await first.change(NEW)
    await second.change(deleteOf('categories', 'family'))
    await first.refresh()
    deleteSiteData()
    await first.refresh()
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('The database connection is closing.', 'InvalidStateError')
    })
    await second.refresh()
    expect(second.status().waiting).toBe(2)
    expect(await second.syncNow()).toBe(true)
    await first.refresh()
    expect(first.status().waiting).toBe(0)
    expect(server.changes.map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  })
})

describe('without space on the disk', () => {
  it('keeps a row that could not be stored as long as something else of it is stored', async () => {
    let full = true
    const sync = await openTab(server, { fails: () => full, send: connectionLost })
    const made = sync.change(insertOf('prayers', prayerRow('ruth', null)))
    await expect.poll(() => sync.status().unsafe).toBe(true)
    full = false
    const args = { prayer_ids: ['ruth'], prayed_on: '2026-03-01' }
    await sync.change({ table: 'prayers', kind: 'call', name: 'mark_prayed', args })
    await sync.syncNow()
    expect(sync.rows('prayers')).toMatchObject([{ id: 'ruth', times_prayed: 1 }])
    sync.close()
    void made
  })

  it('accepts a change once the server has it', async () => {
    const sync = await openTab(server, { fails: isFull })
    const made = sync.change(NEW)
    await expect.poll(() => sync.status().unsafe).toBe(true)
    await sync.syncNow()
    await made
    expect(names(sync)).toEqual(['Family', 'Neighbours'])
    expect(sync.status()).toMatchObject({ waiting: 0, complete: true })
  })

  it('shows what the server has saved, even if nothing can be received afterwards', async () => {
    const sync = await openTab(server, { fails: isFull })
    await sync.syncNow()
    server.intercept = ({ path }) =>
      path === 'sync_state' && server.changes.length === 2 ? connectionLost() : null
    const [added, deleted] = [sync.change(NEW), sync.change(deleteOf('categories', 'family'))]
    expect(await sync.syncNow()).toBe(false)
    await Promise.all([added, deleted])
    expect(names(sync)).toEqual(['Neighbours'])
  })

  it('rejects a change, and shows it no longer, if the server cannot be reached', async () => {
    const sync = await openTab(server, { fails: isFull, send: connectionLost })
    const made = sync.change(NEW)
    await Promise.all([expect(made).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    expect(names(sync)).toEqual([])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('rejects several changes if the server cannot be reached after the first of them, and accepts them the second time', async () => {
    const sync = await openTab(server, { fails: isFull })
    await sync.syncNow()
    const street = insertOf('categories', categoryRow('street', 'Street', 3))
    server.intercept = () => (server.changes.length === 2 ? connectionLost() : null)
    const first = sync.change(NEW, street)
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    expect(names(sync)).toEqual(['Family', 'Neighbours'])
    server.intercept = () => null
    await Promise.all([sync.change(NEW, street), sync.syncNow()])
    expect(names(sync)).toEqual(['Family', 'Neighbours', 'Street'])
    expect(server.changes).toHaveLength(4)
  })

  it('rejects a change that the server rejects, and keeps no other copy', async () => {
    const sync = await openTab(server, { fails: isFull })
    const made = sync.change(updateOf('categories', 'gone', { name: 'x' }))
    await Promise.all([expect(made).rejects.toMatchObject({ reason: 'deleted' }), sync.syncNow()])
    expect(sync.status().rejected).toEqual([])
  })

  it('sends what was stored before, in order, and stores it when there is space again', async () => {
    let full = false
    const sync = await openTab(server, { fails: () => full })
    await sync.syncNow()
    await sync.change(NEW)
    await sync.change(updateOf('categories', 'new', { name: 'Street' }))
    full = true
    expect(await sync.syncNow()).toBe(true)
    expect(server.tables.categories).toContainEqual(expect.objectContaining({ id: 'new', name: 'Street' }))
    expect(names(sync)).toEqual(['Family', 'Street'])
    full = false
    const before = server.changes.length
    await sync.syncNow()
    expect(server.changes).toHaveLength(before)
    expect(sync.status().waiting).toBe(0)
    sync.close()
    expect(names(await openTab(server))).toEqual(['Family', 'Street'])
  })

  it('sends it before what was stored later, also after another tab has written', async () => {
    let full = true
    const [sync, other] = [await openTab(server, { fails: () => full }), await openTab(server)]
    const made = sync.change(NEW)
    await expect.poll(() => sync.status().unsafe).toBe(true)
    full = false
    await sync.change(updateOf('categories', 'new', { name: 'Street' }))
    await other.change(updateOf('categories', 'family', { name: 'Home' }))
    await sync.syncNow()
    await made
    expect(server.changes.map(({ method, body }) => [method, body])).toMatchObject([
      ['POST', { name: 'Neighbours' }],
      ['PATCH', { name: 'Street' }],
      ['PATCH', { name: 'Home' }],
    ])
  })

  it('shows what it receives', async () => {
    const sync = await openTab(server, { fails: isFull })
    await sync.syncNow()
    server.put('categories', categoryRow('friends', 'Friends', 2))
    await sync.syncNow()
    expect(names(sync)).toEqual(['Family', 'Friends'])
  })

  it('keeps a rejected change that it tries again until the server has it', async () => {
    let full = false
    const sync = await openTab(server, { fails: () => full })
    await sync.change(updateOf('categories', 'gone', { name: 'x' }))
    await sync.syncNow()
    const [rejected] = sync.status().rejected
    full = true
    const tried = sync.tryAgain(rejected?.id ?? '')
    await Promise.all([expect(tried).rejects.toMatchObject({ reason: 'deleted' }), sync.syncNow()])
    expect(sync.status().rejected).toEqual([rejected])
  })
})

it('a change that the server has saved shows where nothing is kept until its row was received', async () => {
  server.put('prayers', prayerRow('anna', null))
  const sync = await openTab(server, { storage: memoryStorage() })
  await sync.syncNow()
  const timesPrayed = () => sync.rows('prayers').map((row) => row.times_prayed)
  server.intercept = ({ path }) => (path === 'sync_state' ? connectionLost() : null)
  const args = { prayer_ids: ['anna'], prayed_on: '2026-03-01' }
  const made = sync.change({ table: 'prayers', kind: 'call', name: 'mark_prayed', args })
  await Promise.all([made, sync.syncNow()])
  expect([timesPrayed(), sync.status().unsafe]).toEqual([[1], false])
  server.intercept = () => null
  await sync.syncNow()
  expect([timesPrayed(), sync.status().waiting]).toEqual([[1], 0])
  expect(server.changes).toHaveLength(1)
})

describe('a change that is typed again after it was undone', () => {
  const AGAIN = insertOf('categories', categoryRow('new', 'Street', 2))

  it.each([
    ['the same round', 'Street'],
    ['an earlier round', 'Street'],
  ])('is not lost if the first one was stored nevertheless, and is sent by %s', async (when, name) => {
    const storage = await openDatabase('me', NO_EVENTS)
    const late: (() => Promise<unknown>)[] = []
    const commit: typeof storage.commit = async (batch, version) => {
      if (late.length > 0) return storage.commit(batch, version)
      late.push(() => storage.commit(batch, version))
      throw new Error('The browser’s database does not respond.')
    }
    let isOnline = false
    const send: typeof fetch = (input, init) => (isOnline ? server.fetch(input, init) : connectionLost())
    const sync = await openTab(server, { storage: { ...storage, commit }, send })
    const first = sync.change(NEW)
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    await late[0]?.()
    isOnline = when === 'an earlier round'
    if (isOnline) await sync.syncNow()
    await sync.change(AGAIN)
    expect(names(sync)).toContain(name)
    isOnline = true
    expect(await sync.syncNow()).toBe(true)
    expect(server.tables.categories).toMatchObject([{ id: 'family' }, { id: 'new', name }])
    expect(names(sync)).toEqual(['Family', name])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it.each([
    ['', null, false, ['Exam', []]],
    [
      ', beside what another device has written since',
      'Operation',
      false,
      ['Operation', ['2026-03-01T09:00:00.000Z: Exam']],
    ],
    [
      ', beside what another device has written since, even if it shows already',
      'Operation',
      true,
      ['Operation', ['2026-03-01T09:00:00.000Z: Exam']],
    ],
  ])('is saved if the server had saved the first one%s', async (_what, theirs, isReceived, saved) => {
    let full = true
    const sync = await openTab(server, { fails: () => full })
    server.intercept = ({ method, body }) => {
      if (method !== 'POST') return null
      server.intercept = connectionLost
      server.put('prayers', requireRow({ ...prayerRow('anna', ''), ...(isRecord(body) ? body : {}) }))
      return connectionLost()
    }
    const first = sync.change(insertOf('prayers', prayerRow('anna', 'Exm')))
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    if (theirs !== null) server.put('prayers', prayerRow('anna', theirs))
    full = false
    server.intercept = () => null
    if (isReceived) await sync.syncNow()
    await sync.change(insertOf('prayers', prayerRow('anna', 'Exam')))
    await sync.syncNow()
    await sync.syncNow()
    const { prayers, prayer_updates: updates } = server.tables
    expect([prayers[0]?.['note'], updates.map(({ body }) => body)]).toEqual(saved)
  })

  it('is saved beside what another device has written since, if only others of the same step were undone', async () => {
    let full = true
    const sync = await openTab(server, { fails: () => full })
    server.intercept = ({ body }) => (isRecord(body) && body['id'] === 'ben' ? connectionLost() : null)
    const first = sync.change(
      insertOf('prayers', prayerRow('anna', 'Exm')),
      insertOf('prayers', prayerRow('ben', 'Move')),
    )
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    server.put('prayers', prayerRow('anna', 'Operation'))
    full = false
    server.intercept = () => null
    await sync.syncNow()
    await sync.change(insertOf('prayers', prayerRow('anna', 'Exam')))
    await sync.syncNow()
    await sync.syncNow()
    expect(server.tables).toMatchObject({
      prayers: [{ note: 'Operation' }],
      prayer_updates: [{ body: '2026-03-01T09:00:00.000Z: Exam' }],
    })
  })
  /** The server saves the next change, but its response is lost. */
  const saveOnce: typeof server.intercept = ({ method, body }) => {
    if (method === 'GET') return null
    server.intercept = connectionLost
    server.put('prayers', requireRow({ ...prayerRow('anna', ''), ...(isRecord(body) ? body : {}) }))
    return connectionLost()
  }

  it.each([
    ['an insert', null],
    ['an update', 'Exams'],
  ])('%s replaces what was saved of any earlier attempt', async (_what, before) => {
    if (before !== null) server.put('prayers', prayerRow('anna', before))
    let full = false
    const sync = await openTab(server, { fails: () => full })
    await sync.syncNow()
    full = true
    const typed = (note: string) =>
      before === null
        ? insertOf('prayers', { ...prayerRow('anna', note), due_on: `2026-03-0${String(note.length)}` })
        : updateOf('prayers', 'anna', { note }, { note: before })
    for (const [note, intercept] of [
      ['Exm', saveOnce],
      ['Exams', connectionLost],
    ] as const) {
      server.intercept = intercept
      const made = sync.change(typed(note))
      await Promise.all([expect(made).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    }
    full = false
    server.intercept = () => null
    await sync.change(typed('Exam'))
    const due = before === null ? { due_on: '2026-03-04' } : {}
    expect(sync.rows('prayers')).toMatchObject([{ note: 'Exam', ...due }])
    await sync.syncNow()
    await sync.syncNow()
    expect(server.tables).toMatchObject({ prayers: [{ note: 'Exam', ...due }], prayer_updates: [] })
  })

  it('an insert does not replace what another device has written, although it shows here', async () => {
    const sync = await openTab(server)
    await sendChanges(sync, insertOf('prayers', prayerRow('anna', 'Exm')))
    server.put('prayers', prayerRow('anna', 'Operation'))
    await sync.syncNow()
    await sendChanges(sync, insertOf('prayers', { ...prayerRow('anna', 'Exam'), person_name: 'Hannah' }))
    expect(server.tables).toMatchObject({
      prayers: [{ person_name: 'Hannah', note: 'Operation' }],
      prayer_updates: [{ body: '2026-03-01T09:00:00.000Z: Exam' }],
    })
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it.each([
    ['is kept if it is another text', 'Exam', [['deleted', { note: 'Exam' }]]],
    ['stays deleted if it is the same', 'Exm', []],
  ])('an insert whose row was deleted on another device meanwhile %s', async (_what, note, kept) => {
    let full = true
    const sync = await openTab(server, { fails: () => full })
    server.intercept = saveOnce
    const first = sync.change(insertOf('prayers', prayerRow('anna', 'Exm')))
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    server.intercept = () => null
    server.remove('prayers', 'anna')
    full = false
    await sync.change(insertOf('prayers', prayerRow('anna', note)))
    await sync.syncNow()
    expect(server.tables.prayers).toEqual([])
    expect(sync.status().rejected.map((change) => [change.reason, fieldsOf(change)])).toMatchObject(kept)
  })

  it('an update does, although another form of the row was saved in between', async () => {
    server.put('prayers', prayerRow('anna', 'Exams'))
    let full = false
    const sync = await openTab(server, { fails: () => full })
    await sync.syncNow()
    full = true
    server.intercept = saveOnce
    const first = sync.change(updateOf('prayers', 'anna', { note: 'Exm' }, { note: 'Exams' }))
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    server.intercept = () => null
    full = false
    await sync.change(updateOf('prayers', 'anna', { pray_days: 1 }))
    await sync.change(updateOf('prayers', 'anna', { note: 'Exam' }, { note: 'Exams' }))
    await sync.syncNow()
    await sync.syncNow()
    expect(server.tables).toMatchObject({ prayers: [{ note: 'Exam' }], prayer_updates: [] })
  })

  it('an insert is not sent once more over what another device has written before it could be pulled', async () => {
    let full = false
    const sync = await openTab(server, { fails: () => full })
    await sync.syncNow()
    full = true
    server.intercept = saveOnce
    const first = sync.change(insertOf('prayers', prayerRow('anna', 'Exam')))
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    full = false
    server.intercept = ({ path }) => {
      if (path !== 'categories' || server.tables.prayers[0]?.['person_name'] !== 'Anne') return null
      server.intercept = () => null
      server.put('prayers', { ...prayerRow('anna', 'Exam'), person_name: 'Hannah' })
      return null
    }
    await sendChanges(sync, insertOf('prayers', { ...prayerRow('anna', 'Exam'), person_name: 'Anne' }))
    await sync.syncNow()
    expect(server.tables.prayers).toMatchObject([{ person_name: 'Hannah' }])
    expect(sync.status()).toMatchObject({ waiting: 0, rejected: [] })
  })

  it('an insert takes back a date that an earlier attempt had', async () => {
    let full = true
    const sync = await openTab(server, { fails: () => full })
    server.intercept = saveOnce
    const first = sync.change(insertOf('prayers', { ...prayerRow('anna', 'Exam'), due_on: '2026-03-04' }))
    await Promise.all([expect(first).rejects.toThrow('Failed to fetch'), sync.syncNow()])
    server.intercept = () => null
    full = false
    // An insert lacks what is not used.
    const { due_on: _date, ...fields } = prayerRow('anna', 'Exam')
    await sync.change(insertOf('prayers', fields))
    await sync.syncNow()
    expect(server.tables.prayers).toMatchObject([{ due_on: null }])
  })

  it('an insert does not replace what another form has written here', async () => {
    const sync = await openTab(server)
    await sync.change(insertOf('prayers', prayerRow('anna', 'Exm')))
    const edited = { person_name: 'Hannah', note: 'Operation' }
    await sync.change(updateOf('prayers', 'anna', edited, { note: 'Exm' }))
    await sync.change(insertOf('prayers', prayerRow('anna', 'Exam')))
    expect(sync.rows('prayers')).toMatchObject([{ person_name: 'Hannah' }])
    await sync.syncNow()
    expect(server.tables).toMatchObject({
      prayers: [edited],
      prayer_updates: [{ body: '2026-03-01T09:00:00.000Z: Exam' }],
    })
  })

  it('an insert is sent as version 0.3.0 has stored it', async () => {
    server.put('prayers', prayerRow('anna', 'Exm'))
    const storage = await openDatabase('me', NO_EVENTS)
    const change = {
      id: 'again',
      user_id: 'me',
      at: '2026-03-01T09:00:00.000Z',
      typedBefore: { note: 'Exm' },
    }
    const addChanges = [{ ...insertOf('prayers', prayerRow('anna', 'Exam')), ...change }]
    await storage.commit({ addChanges }, await storage.version())
    await (await openTab(server)).syncNow()
    expect(server.tables).toMatchObject({ prayers: [{ note: 'Exam' }], prayer_updates: [] })
  })
})

it('sends nothing once it is closed', async () => {
  const sync = await openTab(server)
  await sync.change(deleteOf('categories', 'family'))
  sync.close()
  await sync.syncNow()
  expect(server.changes).toEqual([])
})
