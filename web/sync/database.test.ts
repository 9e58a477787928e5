import { IDBDatabase, IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { stubIndexedDb } from './browser-database.test-data.ts'
import { deleteDatabase, forgetRows, openDatabase } from './database.ts'
import type { Change, RejectedChange } from './change.ts'
import { deriveKeys } from './sealing/sealed-text.ts'
import type { DeviceStorage } from './storage.ts'

const USER = 'user-1'
const NAME = 'intercede-user-1'
const CURSOR = { rev: 1, epoch: 'epoch-1' }
const ROW = { table: 'prayers', row: { id: 'prayer-1', rev: 1, note: 'Theirs' } } as const

const onOutdated = vi.fn<() => void>()
const onClosed = vi.fn<() => void>()
const onDeleted = vi.fn<() => void>()
const opened: DeviceStorage[] = []

beforeEach(() => {
  stubIndexedDb()
  // The versions of a new database begin with 0.
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

afterEach(() => {
  for (const storage of opened.splice(0)) storage.close()
})

async function open(): Promise<DeviceStorage> {
  const storage = await openDatabase(USER, { onOutdated, onClosed, onDeleted })
  opened.push(storage)
  return storage
}

function changeOf(id: string): Change {
  return {
    id,
    user_id: USER,
    table: 'prayers',
    row: 'prayer-1',
    kind: 'update',
    fields: { note: id },
    base: {},
    at: '2026-01-01T00:00:00.000Z',
  }
}

function rejectedOf(id: string): RejectedChange {
  return { ...changeOf(id), reason: 'rejected', code: '23514', message: '' }
}

function failToAdd(): void {
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  })
}

/** Lets so many milliseconds pass before each response of the browser. */
function respondAfter(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(IDBRequest.prototype, 'dispatchEvent').mockImplementation(function (this: IDBRequest, event) {
    vi.advanceTimersByTime(milliseconds)
    // All event targets inherit the same method.
    return IDBTransaction.prototype.dispatchEvent.call(this, event)
  })
}

it('returns everything that was written, in the next page', async () => {
  const first = await open()
  await first.commit({ put: [ROW], cursor: CURSOR }, 0)
  await first.commit({ addChanges: [changeOf('a'), changeOf('b')], addRejected: [rejectedOf('c')] }, 1)
  first.close()
  const second = await open()
  expect(await second.read()).toEqual({
    version: 2,
    rows: [ROW],
    outbox: [
      { seq: 1, change: changeOf('a') },
      { seq: 2, change: changeOf('b') },
    ],
    rejected: [rejectedOf('c')],
    cursor: CURSOR,
  })
})

it('writes nothing if another tab has moved the cursor', async () => {
  const storage = await open()
  await storage.commit({ cursor: CURSOR }, 0)
  expect(await storage.commit({ put: [ROW] }, 0)).toBe('outdated')
  expect((await storage.read()).rows).toEqual([])
})

it('writes nothing if there is not enough space', async () => {
  const storage = await open()
  await storage.commit({ put: [ROW] }, 0)
  failToAdd()
  await expect(storage.commit({ clearRows: true, addChanges: [changeOf('a')] }, 1)).rejects.toThrow('quota')
  expect(await storage.read()).toMatchObject({ version: 1, rows: [ROW], outbox: [] })
})

it('waits for few of the responses when it writes many rows', async () => {
  const storage = await open()
  const listen = vi.spyOn(IDBRequest.prototype, 'addEventListener')
  const rows = Array.from({ length: 1000 }, (_, index) => ({
    table: 'prayers' as const,
    row: { id: String(index), rev: 1 },
  }))
  await storage.commit({ put: rows }, 0)
  expect(listen.mock.calls.length).toBeLessThan(50)
  expect((await storage.read()).rows).toHaveLength(1000)
})

it('writes nothing if the browser rejects a row later', async () => {
  const storage = await open()
  await storage.commit({ put: [ROW] }, 0)
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, row, key) {
    this.add(row, key)
    // Its key exists by then.
    return this.add(row, key)
  })
  const rows = ['a', 'b'].map((id) => ({ table: 'prayers' as const, row: { id, rev: 1 } }))
  await expect(storage.commit({ clearRows: true, put: rows }, 1)).rejects.toThrow('aborted')
  expect(await storage.read()).toMatchObject({ version: 1, rows: [ROW] })
})

it('opens a connection again that the browser has closed, and stores the change', async () => {
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const storage = await open()
  transaction.mockImplementationOnce(() => {
    throw new DOMException('The database connection is closing.', 'InvalidStateError')
  })
  expect(await storage.commit({ addChanges: [changeOf('a')] }, 0)).toEqual({ seqs: [1] })
})

it('reads again what it was reading when the browser closed the connection', async () => {
  const storage = await open()
  await storage.commit({ put: [ROW] }, 0)
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementationOnce(function (this: IDBObjectStore, key) {
    const request = this.getAll(key)
    this.transaction.abort()
    return request
  })
  expect(await storage.version()).toBe(1)
})

it('rejects, and opens nothing later, if the browser does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(IDBFactory.prototype, 'open').mockReturnValue(new IDBOpenDBRequest())
  const opening = open()
  opening.catch(() => {})
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(opening).rejects.toThrow('does not respond')
})

it('rejects if the browser stops responding during a write', async () => {
  const storage = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    row: unknown,
    key,
  ) {
    vi.advanceTimersByTime(20_000)
    return this.add(row, key)
  })
  await expect(storage.commit({ put: [ROW] }, 0)).rejects.toThrow('does not respond')
})

it('waits as long as the browser responds: for many rows, a slow device may need minutes', async () => {
  const storage = await open()
  respondAfter(9_000)
  await storage.commit({ put: [ROW], cursor: CURSOR }, 0)
  expect((await storage.read()).rows).toEqual([ROW])
  expect(await forgetRows(USER)).toBe(0)
  expect((await storage.read()).rows).toEqual([])
  await deleteDatabase(USER)
  expect(storage.durable).toBe(false)
})

it('closes, and reports that the page is outdated, when another tab upgrades the database', async () => {
  const storage = await open()
  const upgraded = await openDB(NAME, 3)
  expect(onOutdated).toHaveBeenCalled()
  expect(onDeleted).not.toHaveBeenCalled()
  await expect(storage.commit({ addChanges: [changeOf('a')] }, 0)).rejects.toThrow('version')
  upgraded.close()
})

it('rejects, and reports that the page is outdated, if the database is newer already', async () => {
  const upgraded = await openDB(NAME, 3)
  upgraded.close()
  await expect(open()).rejects.toThrow('version')
  expect(onOutdated).toHaveBeenCalledTimes(1)
})

it('keeps nothing, and does not create the database again, after another tab has deleted it', async () => {
  const storage = await open()
  await storage.commit({ put: [ROW] }, 0)
  await deleteDB(NAME)
  expect(onDeleted).toHaveBeenCalledTimes(1)
  expect(onOutdated).not.toHaveBeenCalled()
  expect(storage.durable).toBe(false)
  expect(await storage.commit({ addChanges: [changeOf('a')] }, 1)).toBe('outdated')
  expect(await storage.commit({ addChanges: [changeOf('a')] }, 0)).toBe('not-kept')
  expect(await storage.read()).toMatchObject({ rows: [], outbox: [], cursor: null })
  expect(await indexedDB.databases()).toEqual([])
})

it('deletes a database that other tabs have open', async () => {
  await open()
  await open()
  await deleteDatabase(USER)
  expect(await indexedDB.databases()).toEqual([])
})

it('empties a database that a suspended tab keeps from being deleted', async () => {
  const storage = await open()
  await storage.commit({ put: [ROW], addChanges: [changeOf('a')], addRejected: [rejectedOf('b')] }, 0)
  storage.close()
  const suspended = await openDB(NAME, 1)
  await deleteDatabase(USER)
  expect(await suspended.getAll('rows')).toEqual([])
  expect(await suspended.getAll('outbox')).toEqual([])
  expect(await suspended.getAll('rejected')).toEqual([])
  suspended.close()
})

it('deletes a database with a newer schema', async () => {
  const newer = await openDB(NAME, 3)
  newer.close()
  await deleteDatabase(USER)
  expect(await indexedDB.databases()).toEqual([])
})

it('forgets the rows of a user, but neither unsaved nor rejected changes', async () => {
  const storage = await open()
  await storage.commit({ put: [ROW], cursor: CURSOR, addChanges: [changeOf('a')] }, 0)
  await storage.commit({ addRejected: [rejectedOf('b')] }, 1)
  expect(await forgetRows(USER)).toBe(2)
  expect(await storage.read()).toEqual({
    version: 3,
    rows: [],
    outbox: [{ seq: 1, change: changeOf('a') }],
    rejected: [rejectedOf('b')],
    cursor: null,
  })
})

it('reads calls as version 0.2.0 has stored them', async () => {
  const storage = await open()
  const { id, user_id, at } = changeOf('a')
  const old = { id, user_id, at, table: 'categories', kind: 'call', row: 'reorder', fields: { ids: [] } }
  const database = await openDB(NAME, 1)
  await database.add('outbox', { ...old, base: {} })
  await database.put('rejected', { ...old, reason: 'rejected', code: '', message: '' }, 'a')
  database.close()
  const call = { id, user_id, at, table: 'categories', kind: 'call', name: 'reorder', args: { ids: [] } }
  const { outbox, rejected } = await storage.read()
  expect(outbox).toMatchObject([{ change: call }])
  expect(rejected).toMatchObject([{ ...call, reason: 'rejected' }])
})

it('every write waits until the data is on the disk', async () => {
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const storage = await open()
  await storage.commit({ addChanges: [changeOf('a')] }, 0)
  await storage.commit({ cursor: CURSOR, put: [ROW], removeChanges: [1] }, 1)
  await forgetRows(USER)
  const writes = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')
  expect(writes.length).toBeGreaterThanOrEqual(3)
  for (const [, , options] of writes) expect(options).toEqual({ durability: 'strict' })
})

it('keeps keys from versions of the app that know none, and other pages go on', async () => {
  const [first, second] = [await open(), await open()]
  const keys = await deriveKeys('7K3MQ9XW2PTV5HNB8RDJ4CF4', USER, '8QJ4T0XN5VKC2MHD')
  await first.addKeys(keys)
  expect(await second.readKeys()).toMatchObject([{ keyId: keys.keyId, text: { extractable: false } }])
  expect(onOutdated).not.toHaveBeenCalled()
  await expect(openDB(NAME, 1)).rejects.toThrow('version')
  await forgetRows(USER)
  expect(await second.readKeys()).toEqual([])
})
